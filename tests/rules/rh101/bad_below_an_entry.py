import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Sessions:
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

    def touch(self, number, now):
        if number in self.rows:  # RH
            self.rows[number]["seen"] = now

    def user(self, number):
        if number in self.rows:  # RH
            return self.rows[number]["user"]
        return None

    def forget(self, number):
        self.rows.pop(number, None)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        Sessions.get().touch(self.path, 1)
        sessions = Sessions.get()
        sessions.user(self.path)

    def do_DELETE(self):
        Sessions.get().forget(self.path)


def main():
    ThreadingHTTPServer(("", 80), Handler).serve_forever()
