import threading
from collections import defaultdict


class Base:
    def __init__(self):
        self._lock = threading.Lock()
        self._rows = defaultdict(list)
        self._names = set()

    def put(self, key, row):
        with self._lock:
            self._rows[key] = row
            self._names.add(key)


class Derived(Base):
    @property
    def names(self):
        with self._lock:
            return self._names  # RH

    def items(self):
        self._lock.acquire()
        try:
            return self._rows.items()  # RH
        finally:
            self._lock.release()
