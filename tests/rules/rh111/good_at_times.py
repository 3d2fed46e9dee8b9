import contextlib
import threading


class Sessions:
    def __init__(self, in_memory):
        self._lock = threading.RLock()
        self._other = threading.RLock()
        self._in_memory = in_memory
        self._items = {}

    def add(self, key, item):
        with self._lock if self._in_memory else self._other:
            self._items[key] = item

    def take(self, key):
        with self._lock if self._in_memory else contextlib.nullcontext():
            return self._items.pop(key)

    def given(self, key):
        with guarded(key, threading.Lock()):
            return self._items.get(key)
