import contextlib
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from threading import Condition as Cond
from threading import RLock


class Plain:
    def __init__(self):
        self._lock = RLock()
        self.n = 0

    def with_statement(self):
        with self._lock:
            self.n += 1

    def acquired(self):
        self._lock.acquire()
        try:
            self.n += 1
        finally:
            self._lock.release()

    def acquired_inside(self):
        try:
            self._lock.acquire()
            if self.n > 3:
                return
            self.n += 1
        finally:
            self._lock.release()

    def stacked(self):
        with ExitStack() as stack:
            stack.enter_context(self._lock)
            self.n += 1

    def aliased(self):
        lock = self._lock
        with lock:
            self.n += 1

    def on_every_path(self, flag):
        if flag:
            self._lock.acquire()
        else:
            self._lock.acquire()
        self.n += 1
        self._lock.release()

    def caller(self):
        with self._lock:
            self._bump()
            self._handed(self._bump)

    def _bump(self):
        self.n += 1
        self.__deeper()

    def __deeper(self):
        self.n += 1

    def _handed(self, function):
        function()

    @contextlib.contextmanager
    def _section(self):
        with self._lock:
            yield

    def in_a_section(self):
        with self._section():
            self.n += 1

    def in_an_unknown_section(self):
        with self.lock_for("n"):
            self.n += 1

    @synchronized
    def decorated(self):
        self.n += 1

    def in_a_lambda(self, items):
        with self._lock:
            return sorted(items, key=lambda item: self._rank(item))

    def _rank(self, item):
        self.n += 1
        return self.n


class Waiting:
    def __init__(self):
        self.mutex = threading.Lock()
        self.filled = Cond(self.mutex)
        self.n = 0

    def put(self):
        with self.mutex:
            self.n += 1

    def get(self):
        with self.filled:
            self.n -= 1


@dataclass
class Stored:
    n: int = 0
    guard: threading.Lock = field(default_factory=threading.Lock)

    def bump(self):
        with self.guard:
            self.n += 1


class Given:
    """Thread-safe."""

    def __init__(self, lock):
        self._lock = lock
        self.n = 0

    def bump(self):
        with self._lock:
            self.n += 1


class Inheriting(Waiting):
    def twice(self):
        with self.filled:
            self.n += 2
