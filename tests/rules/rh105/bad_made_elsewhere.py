"""What a function of another package makes: nothing says that two of it are as good as one."""

import threading

from elsewhere import create, expensive_init


class Service:
    def __init__(self):
        self._instance = None
        self._resource = None

    def instance(self):
        if self._instance is None:  # RH
            self._instance = create()
        return self._instance

    def resource(self):
        if not self._resource:  # RH
            self._resource = expensive_init()
        return self._resource


def main():
    service = Service()
    for _ in range(4):
        threading.Thread(target=service.instance).start()
        threading.Thread(target=service.resource).start()
