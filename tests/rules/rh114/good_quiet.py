import itertools
import threading


def lines(path):
    with open(path) as file:
        yield from file


class Reader:
    """Thread-safe."""

    def __init__(self, path):
        self._lock = threading.Lock()
        self._lines = lines(path)
        self._ids = itertools.count()

    def read(self):
        with self._lock:
            return next(self._lines)

    def number(self):
        return next(self._ids)

    def local(self, path):
        mine = lines(path)
        return next(mine)

    def first(self, items):
        return next(iter(items))


class Alone:
    def __init__(self, path):
        self._lines = lines(path)

    def read(self):
        return next(self._lines)
