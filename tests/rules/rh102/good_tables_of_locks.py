import threading
from collections import defaultdict


class Striped:
    def __init__(self):
        self._locks = defaultdict(threading.Lock)
        self._counts = {}

    def more(self, key):
        with self._locks[key]:
            self._counts[key] = self._counts.get(key, 0) + 1

    def less(self, key):
        lock = self._locks[key]
        with lock:
            self._counts[key] = self._counts.get(key, 0) - 1


class Filled:
    def __init__(self, keys):
        self._key_locks = {}
        self._counts = dict.fromkeys(keys, 0)
        for key in keys:
            self._key_locks[key] = threading.Lock()

    def more(self, key):
        self._key_locks[key].acquire()
        try:
            self._counts[key] += 1
        finally:
            self._key_locks[key].release()
