"""Declarations in every form, and uses of every kind without the lock."""

import threading
from typing import Annotated

import racehound
from racehound import guarded_by

COUNT = 0  # guarded_by: COUNT_LOCK
COUNT_LOCK = threading.Lock()


def count():
    global COUNT
    COUNT += 1  # RH


def counted():
    with COUNT_LOCK:
        return COUNT


class Base:
    limit: Annotated[int, racehound.guarded_by("self._lock")] = 3

    def __init__(self):
        self._lock = threading.RLock()
        # racehound: guarded_by("_lock")
        self.names = {}
        self.total: Annotated[int, guarded_by("_lock")] = 0
        self.log = [  # guarded_by(_lock) since the second release
            "begin",
        ]

    def add(self, name, amount):
        with self._lock:
            self.names[name] = amount
            self.total += amount
            self.log.append(name)
            self.limit -= 1

    def peek(self, name):
        return self.names.get(name)  # RH

    def listed(self):
        return [name for name in self.names]  # RH

    def wrong_lock(self):
        with threading.Lock():
            self.total = 0  # RH

    def half(self):
        with self._lock:
            names = self.names
        self.log.clear()  # RH
        return names


class Derived(Base):
    def more(self):
        self.limit = 9  # RH
