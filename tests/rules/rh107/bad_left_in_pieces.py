"""What one field says of another is no longer so: both are changed together, under the lock."""

import threading
import time


class Breaker:
    def __init__(self):
        self._lock = threading.Lock()
        self._state = "closed"
        self._opened = None

    def record_failure(self):
        with self._lock:
            self._state = "open"
            self._opened = time.monotonic()

    def record_success(self):
        with self._lock:
            self._state = "closed"
            self._opened = None

    def is_open(self):
        if self._state == "open":
            if time.monotonic() - self._opened > 30:  # RH
                return False
            return True
        return False
