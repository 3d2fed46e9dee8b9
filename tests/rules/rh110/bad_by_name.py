"""The container gets out by a local variable, some of them when the lock is given up already."""

import threading


class Registry:
    def __init__(self):
        self._lock = threading.Lock()
        self._services = {}

    def add(self, name, service):
        with self._lock:
            self._services[name] = service

    def services(self):
        with self._lock:
            found = self._services.values()  # RH
        return found

    def names(self):
        with self._lock:
            names = self._services.keys()  # RH
            return names
