import signal
import threading
import weakref

_open = {}
_workers = {}
_again = []


class Handle:
    """Its own parts are nobody else's when it goes; of the rest, copies are gone over."""

    def __init__(self, name):
        self._parts = {}
        _open[id(self)] = name

    def add(self, key, part):
        self._parts[key] = part

    def parts(self):
        for key, part in self._parts.items():
            yield key, part

    def close(self):
        self._parts.clear()

    def __del__(self):
        self.close()
        _open.pop(id(self), None)


def opened():
    for number, name in list(_open.items()):
        print(number, name)


def reap(number, frame):
    for worker in _workers:
        _workers[worker] = None
    _again.append(number)


def status():
    for worker in dict(_workers).values():
        print(worker)
    for number in _again:
        print(number)


signal.signal(signal.SIGCHLD, reap)


class Guarded:
    """That a lock is taken here by what may interrupt its holder is another matter: nobody gets past it."""

    def __init__(self):
        self._lock = threading.Lock()
        self._names = {}

    def add(self, item):
        with self._lock:
            self._names[id(item)] = str(item)
        weakref.finalize(item, self._gone, id(item))

    def _gone(self, number):
        with self._lock:
            self._names.pop(number)

    def names(self):
        with self._lock:
            return [name.title() for name in self._names.values()]
