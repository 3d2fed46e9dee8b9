import threading
from collections import defaultdict


class Striped:
    """A lock for each key says that threads meet here."""

    def __init__(self):
        self._locks = defaultdict(threading.Lock)
        self._counts = {}
        self._total = 0

    def more(self, key):
        with self._locks[key]:
            self._counts[key] = self._counts.get(key, 0) + 1

    def less(self, key):
        self._counts[key] = self._counts.get(key, 0) - 1  # RH


class Filled:
    def __init__(self):
        self._locks = {}
        self._total = 0

    def take(self, key):
        self._locks[key] = threading.Lock()

    def count(self):
        self._total += 1  # RH


class Made:
    """The lock comes from a function."""

    def __init__(self):
        self._lock = self._create_lock()
        self._total = 0

    def _create_lock(self):
        return threading.RLock()

    def count(self):
        self._total += 1  # RH

    def reset(self):
        with self._lock:
            self._total = 0
