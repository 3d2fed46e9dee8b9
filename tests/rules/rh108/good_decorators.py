import functools
import threading
import time
from contextlib import ContextDecorator


class Timed(ContextDecorator):
    def _recreate_cm(self):
        return Timed()

    def __enter__(self):
        self._begin = time.monotonic()
        return self

    def __exit__(self, *exc):
        record(time.monotonic() - self._begin)


class Once:
    def __init__(self, function):
        self._function = function
        self._result = None

    def __call__(self):
        if self._result is None:
            self._result = self._function()
        return self._result


class Counted:
    def __init__(self):
        self._lock = threading.Lock()

    def __call__(self, function):
        @functools.wraps(function)
        def counted(*args):
            with self._lock:
                self.last = function(*args)
                return self.last

        return counted


class Switch:
    def __enter__(self):
        self._on = True

    def __exit__(self, *exc):
        self._on = False

    def __call__(self, function):
        def switched(*args):
            with self:
                return function(*args)

        return switched


class Block:
    """Entered by its user, who has one of his own."""

    def __enter__(self):
        self._begin = time.monotonic()

    def __exit__(self, *exc):
        print(self._begin)

    def run(self, function):
        def inner():
            return function()

        with self:
            return inner()


class Plain:
    def __init__(self, value):
        self.value = value

    def __call__(self, other):
        self.other = other
        return self.value + self.other
