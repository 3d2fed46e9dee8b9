import threading


class Counter:
    def __init__(self):
        self._lock = threading.Lock()
        self._count = 0  # guarded_by: _lock

    def add(self):
        with self._lock:
            self._count += 1

    def merge(self, other: "Counter"):
        with self._lock:
            self._count += other._count  # RH

    def take(self, other):
        with self._lock:
            other._count = 0  # RH

    def __lt__(self, other):
        with self._lock:
            return self._count < other._count  # RH
