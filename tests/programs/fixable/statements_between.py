"""Two locks in two orders, with something to do between the two."""

import threading


class Store:
    def __init__(self):
        self._index_lock = threading.Lock()
        self._data_lock = threading.Lock()
        self.index = {}
        self.data = []

    def add(self, key, value):
        with self._data_lock:
            self.data.append(value)
            place = len(self.data) - 1
            with self._index_lock:
                self.index[key] = place

    def drop(self, key):
        with self._index_lock:
            place = self.index.pop(key, None)
            with self._data_lock:
                if place is not None:
                    self.data[place] = None


def check():
    store = Store()
    store.add("a", 1)
    store.add("b", 2)
    store.drop("a")
    assert store.index == {"b": 1}
    assert store.data == [None, 2]
