import threading


class Stats:
    def __init__(self):
        self._lock = threading.Lock()
        self._count = 0
        self._total = 0

    def add(self, value):
        with self._lock:
            self._count += 1
            self._total += value

    def mean(self):
        return self._total / self._count  # RH

    def reset(self):
        self._count = 0
        self._total = 0
