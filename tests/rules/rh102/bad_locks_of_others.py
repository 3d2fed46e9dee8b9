import threading

_LOCK = threading.Lock()


class Handed:
    def __init__(self, lock):
        self._lock = lock
        self.counts = {}

    def clear(self):
        with self._lock:
            self.counts.clear()

    def add(self, key):
        self.counts[key] = self.counts.get(key, 0) + 1  # RH


class UnderTheLockOfTheModule:
    def __init__(self):
        self.counts = {}

    def clear(self):
        with _LOCK:
            self.counts.clear()

    def add(self, key):
        self.counts[key] = self.counts.get(key, 0) + 1  # RH
