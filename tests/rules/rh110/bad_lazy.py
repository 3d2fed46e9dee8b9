import threading


class Registry:
    def __init__(self):
        self._lock = threading.Lock()
        self._items = {}

    def add(self, key, item):
        with self._lock:
            self._items[key] = item

    def __iter__(self):
        with self._lock:
            return iter(self._items.values())  # RH

    def numbered(self):
        with self._lock:
            return enumerate(self._items)  # RH

    def snapshot(self):
        with self._lock:
            return iter(list(self._items.values()))
