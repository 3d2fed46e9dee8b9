from project import forksafe


class Registry:
    """The lock is one that a fork gives back, made by the project itself."""

    def __init__(self):
        self._lock = forksafe.RLock()
        self._total = 0
        self._items = {}

    def add(self, name, size):
        with self._lock:
            self._items[name] = size
            self._total += size

    def drop(self, name):
        with self._lock:
            self._total -= self._items.pop(name)

    def scale(self, factor):
        self._total = self._total * factor  # RH
