import threading


class Base:
    def __init__(self):
        self._lock = threading.RLock()
        self._total = 0
        self._calls = 0

    def add(self, amount):
        with self._lock:
            self._total += amount

    def report(self):
        with self._lock:
            return self._total


class Locks(Base):
    def add(self, amount):
        with self._lock:
            self._total += 2 * amount


class Delegates(Base):
    def add(self, amount):
        super().add(2 * amount)


class Ignores(Base):
    def add(self, amount):
        self._calls = amount


class Alone:
    def __init__(self):
        self._total = 0

    def add(self, amount):
        self._total += amount


class OfAlone(Alone):
    def add(self, amount):
        self._total -= amount
