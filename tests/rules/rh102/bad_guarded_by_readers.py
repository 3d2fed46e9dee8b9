"""The lock is for the field: who only looks at it holds it, waits for it under it, or stores it under it."""

import bisect
import threading


class Histogram:
    def __init__(self, bounds=(1, 5, 10)):
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(self._bounds) + 1)
        self._sum = 0.0
        self._lock = threading.Lock()

    def observe(self, value):
        slot = bisect.bisect_left(self._bounds, value)
        with self._lock:
            self._counts[slot] += 1
        self._sum += value  # RH

    def mean(self):
        with self._lock:
            total = sum(self._counts)
            return self._sum / total if total else 0.0

    def snapshot(self):
        with self._lock:
            return dict(zip(self._bounds, self._counts)), self._sum


class Latch:
    def __init__(self, left=2):
        self._left = left
        self._condition = threading.Condition()

    def arrive(self):
        self._left -= 1  # RH
        if self._left <= 0:
            with self._condition:
                self._condition.notify_all()

    def wait(self):
        with self._condition:
            while self._left > 0:
                self._condition.wait()

    @property
    def left(self):
        return self._left


class Router:
    def __init__(self):
        self._routes = {}
        self._lock = threading.Lock()

    def add(self, path, handler):
        routes = dict(self._routes)
        routes[path] = handler
        with self._lock:
            self._routes = routes  # RH

    def remove(self, path):
        with self._lock:
            routes = dict(self._routes)
            routes.pop(path, None)
            self._routes = routes

    def resolve(self, path):
        return self._routes.get(path)
