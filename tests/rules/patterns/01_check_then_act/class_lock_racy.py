"""A lock of the class guards what is put into each pool, and not what is taken out."""

import threading


class Pool:
    _lock = threading.Lock()

    def __init__(self):
        self._free = []

    def get(self):
        if self._free:  # RH
            return self._free.pop()
        return object()

    def put(self, item):
        with self._lock:
            self._free.append(item)
