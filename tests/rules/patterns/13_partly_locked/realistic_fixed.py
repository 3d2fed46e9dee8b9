import threading


class Base:
    def __init__(self):
        self._lock = threading.Lock()
        self._failures = 0
        self._opened_at = None


class Breaker(Base):
    def failed(self, now):
        with self._lock:
            self._failures += 1
            self._trip(now)

    def _trip(self, now):
        if self._failures >= 3:
            self._opened_at = now

    def succeeded(self):
        with self._lock:
            self._failures = 0
            self._opened_at = None

    def count(self):
        with self._lock:
            return self._failures
