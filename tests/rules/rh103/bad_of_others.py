"""Containers that a class changes under its lock, gone over by others without it; views under another name."""

import collections
import threading


class Context:
    def __init__(self):
        self._lock = threading.Lock()
        self.meta = {}

    def set(self, name, value):
        with self._lock:
            self.meta[name] = value


class Propagator:
    def inject(self, source: Context, headers):
        for name, value in source.meta.items():  # RH
            headers[name] = value


def told(context):
    for name in context.meta.keys():  # RH
        print(name)


class Pools:
    def __init__(self):
        self._lock = threading.RLock()
        self._pools = {}

    def open(self, name):
        with self._lock:
            self._pools[name] = object()

    def close_one(self, name):
        with self._lock:
            del self._pools[name]

    def report(self):
        pools = self._pools.values()
        said = []
        for pool in pools:  # RH
            said.append(str(pool))
        return said


class Window:
    def __init__(self):
        self._lock = threading.Lock()
        self.hits = collections.deque()

    def add(self, when):
        with self._lock:
            self.hits.append(when)

    def count(self, since):
        return len([when for when in self.hits if when > since])  # RH


class Logger:
    def __init__(self):
        self._lock = threading.Lock()
        self._handlers = {}

    def add(self, name, handler):
        with self._lock:
            self._handlers[name] = handler

    @staticmethod
    def _make(level):
        def log(_self, message):
            for handler in _self._handlers.values():  # RH
                handler.emit(level, message)

        return log

    info = _make.__func__("INFO")
