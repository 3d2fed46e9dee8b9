"""Uses that hold the lock in one way or another, and declarations that promise something else."""

import threading
from typing import Annotated

from racehound import confined, guarded_by

LIMIT = 3  # guarded_by: LOCK
LOCK = threading.Lock()
SEEN = []  # racehound: confined("main thread")


def limit():
    return LIMIT


def see(name):
    SEEN.append(name)


class Store:
    def __init__(self, lock):
        self._lock = threading.Condition()
        self.items = []  # guarded_by: _lock
        self.fixed = 3  # guarded_by: _lock
        self.other = 0  # guarded_by: _given_lock
        self._given_lock = lock
        self.own: Annotated[int, confined] = 0
        self.also_own: Annotated[list[int], confined("loop")] = []
        self.text = "guarded_by: _lock"

    def add(self, item):
        with self._lock:
            self._add(item)
            self._lock.notify()

    def _add(self, item):
        self.items.append(item)

    def take(self):
        self._lock.acquire()
        try:
            return self.items.pop()
        finally:
            self._lock.release()

    def read_only(self):
        return self.fixed

    def _drain_locked(self):
        self.items.clear()

    def count(self):
        with self._given_lock:
            self.other += 1

    def mine(self):
        self.own += 1
        self.also_own.append(self.own)


class Unrelated:
    items = ()

    def read(self):
        return self.items
