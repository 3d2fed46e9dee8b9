"""Copies, the lock of the object, and objects of another class that has an attribute of the same name."""

import threading


class Context:
    def __init__(self):
        self._lock = threading.Lock()
        self.meta = {}

    def set(self, name, value):
        with self._lock:
            self.meta[name] = value


class Page:
    def __init__(self):
        self.meta = {}


class Propagator:
    def inject(self, source: Context, headers):
        for name, value in list(source.meta.items()):
            headers[name] = value

    def show(self, page: Page):
        for name in page.meta.keys():
            print(name)


def told(context):
    with context._lock:
        for name in context.meta.keys():
            print(name)
