import threading


class Counters:
    def __init__(self):
        self._lock = threading.RLock()
        self._numbers = {}
        self._copies = {}

    def get(self, key):
        with self._lock:
            return self._numbers.get(key, 0)

    def bump(self, key):
        with self._lock:
            number = self.get(key)
            self._numbers[key] = number + 1

    def copy(self, key, other):
        number = self.get(other)
        with self._lock:
            self._numbers[key] = number

    def bump_if_same(self, key):
        number = self.get(key)
        with self._lock:
            if self._numbers.get(key, 0) == number:
                self._numbers[key] = number + 1
