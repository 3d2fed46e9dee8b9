import threading
from contextlib import contextmanager

_guard = threading.Lock()
_gate = threading.Lock()
_turn = threading.Lock()
_known = {}


def refresh(key, load):
    _guard.acquire()
    count = len(_known)
    try:
        _known[key] = load(key, count)
    finally:
        _guard.release()


def refresh_all(keys, load):
    try:
        _guard.acquire()
        fresh = load(keys)
        try:
            _known.update(fresh)
        finally:
            _known.pop(None, None)
    finally:
        _guard.release()


def forget(key):
    _guard.acquire()
    if key in _known:
        del _known[key]
    _guard.release()


def begin(rows):
    _gate.acquire()
    if not rows:
        _gate.release()


def end():
    _gate.release()


def wait_for(rows):
    _turn.acquire()
    while True:
        if rows:
            _turn.release()
            break


class Table:
    def __init__(self):
        self._lock = threading.RLock()
        self.rows = []

    @contextmanager
    def writing(self):
        self._lock.acquire()
        try:
            yield self.rows
        finally:
            self._lock.release()

    def each(self):
        self._lock.acquire()
        yield from self.rows
        self._lock.release()


def each(folders, lock):
    for folder in folders:
        try:
            lock.acquire()
        except PermissionError:
            print(folder.is_dir())
            continue
        try:
            yield folder
        finally:
            lock.release()


def announce(waiter, make):
    _guard.acquire()
    waiter.lock()
    _known["waiter"] = Waiter()
    try:
        make(waiter)
    finally:
        _guard.release()


class Waiter:
    def __init__(self):
        self.done = make_event()
