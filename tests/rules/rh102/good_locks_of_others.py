import threading

_LOCK = threading.Lock()


class HandedAndUnused:
    def __init__(self, lock):
        self._lock = lock
        self.counts = {}

    def add(self, key):
        self.counts[key] = self.counts.get(key, 0) + 1


class HandedByTasks:
    def __init__(self, lock):
        self._lock = lock
        self.counts = {}

    async def clear(self):
        async with self._lock:
            self.counts.clear()

    def add(self, key):
        self.counts[key] = self.counts.get(key, 0) + 1


class LockForSomethingElse:
    def __init__(self):
        self.counts = {}

    def build(self):
        with _LOCK:
            return dict(self.counts)

    def add(self, key):
        self.counts[key] = self.counts.get(key, 0) + 1
