"""A lock that a method takes again in a method that it calls."""

import threading


class Stock:
    def __init__(self):
        self._lock = threading.Lock()  # guards the items
        self._items = {}

    def put(self, name, count):
        with self._lock:
            self._items[name] = count

    def total(self):
        with self._lock:
            return sum(self._items.values())

    def report(self):
        with self._lock:
            return f"{len(self._items)} kinds, {self.total()} items"


def check():
    stock = Stock()
    stock.put("a", 2)
    assert stock.total() == 2
