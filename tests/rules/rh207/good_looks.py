import threading


class Result:
    def __init__(self, make):
        self._condition = make()
        self._ready = threading.Condition()
        self._event = make()
        self._done = False

    def set(self):
        with self._condition:
            self._done = True
            self._condition.notify_all()

    def wait(self, timeout=None):
        with self._condition:
            while not self._done:
                self._condition.wait(timeout)

    def doze(self):
        with self._ready:
            self._ready.wait(0.5)

    def ready(self):
        self._event.wait()
