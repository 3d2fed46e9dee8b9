import threading
from contextlib import contextmanager

_guard = threading.Lock()
_gate = threading.Lock()
_known = {}


def refresh(key, load):
    _guard.acquire()  # RH
    fresh = load(key)
    try:
        _known[key] = fresh
    finally:
        _guard.release()


def forget(key):
    _guard.acquire()  # RH
    del _known[key]
    _guard.release()


def load_all(rows, target):
    _gate.acquire()  # RH
    for row in rows:
        if row is None:
            break
        target.insert(row)
    else:
        _gate.release()


class Table:
    def __init__(self):
        self._lock = threading.RLock()
        self.rows = []

    @contextmanager
    def writing(self):
        self._lock.acquire()  # RH
        yield self.rows
        self._lock.release()
