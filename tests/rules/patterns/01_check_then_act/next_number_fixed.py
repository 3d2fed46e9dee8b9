"""One lock is held from the look to the numbering."""

import threading


class Names:
    """Thread-safe: every name has one number."""

    def __init__(self):
        self._lock = threading.Lock()
        self._numbers = {}

    def number(self, name):
        with self._lock:
            if name not in self._numbers:
                self._numbers[name] = len(self._numbers)
            return self._numbers[name]
