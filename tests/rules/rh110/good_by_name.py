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
            found = list(self._services.values())
        return found

    def named(self, name):
        with self._lock:
            found = self._services.get(name)
        return found
