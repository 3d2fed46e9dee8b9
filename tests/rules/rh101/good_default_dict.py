import threading
from collections import defaultdict, deque


class Batches:
    def __init__(self):
        self._lock = threading.Lock()
        self._batches = defaultdict(deque)

    def drain(self, key):
        if key not in self._batches:
            return None
        return list(self._batches[key])

    def abort(self):
        with self._lock:
            self._batches.clear()
