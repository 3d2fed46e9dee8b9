import threading


class Base:
    def __init__(self):
        self._lock = threading.RLock()
        self._total = 0
        self._rows = {}

    def add(self, amount):
        with self._lock:
            self._total += amount

    def put(self, key):
        with self._lock:
            self._rows[key] = 1

    def report(self):
        with self._lock:
            return self._total, dict(self._rows)


class Middle(Base):
    pass


class Derived(Middle):
    def add(self, amount):
        total = self._total + amount
        self._total = total  # RH

    def put(self, key):
        self._rows.pop(key, None)  # RH
