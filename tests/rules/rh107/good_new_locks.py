import threading


class Pool:
    def __init__(self):
        self.reset()

    def reset(self):
        self._lock = threading.RLock()
        self._free = []
        self._made = 0

    def take(self):
        with self._lock:
            self._made += 1
            return self._free.pop()

    def give(self, item):
        with self._lock:
            self._free.append(item)
