import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Sessions:
    def __init__(self):
        self.rows = {}

    def touch(self, number, now):
        if number in self.rows:
            self.rows[number]["seen"] = now

    def forget(self, number):
        self.rows.pop(number, None)


class Table:
    _only = None
    _making = threading.Lock()

    def __init__(self):
        self.rows = {}

    @classmethod
    def get(cls):
        with cls._making:
            if cls._only is None:
                cls._only = cls()
            return cls._only

    def count(self, name):
        if name in self.rows:
            self.rows[name]["count"] = 1


def make():
    return Sessions()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        make().touch(self.path, 1)
        make().forget(self.path)
        Table.get().count(self.path)


def main():
    ThreadingHTTPServer(("", 80), Handler).serve_forever()
