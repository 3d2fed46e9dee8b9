"""A lock of the class guards each pool."""

import threading


class Pool:
    _lock = threading.Lock()

    def __init__(self):
        self._free = []

    def get(self):
        with self._lock:
            if self._free:
                return self._free.pop()
        return object()

    def put(self, item):
        with self._lock:
            self._free.append(item)
