import threading


class Counters:
    def __init__(self):
        self._lock = threading.Lock()
        self._numbers = {}

    def get(self, key):
        with self._lock:
            return self._numbers.get(key, 0)

    def bump(self, key):
        number = self.get(key)
        following = number + 1
        with self._lock:
            self._numbers[key] = following  # RH
