import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Texts:
    def __init__(self, path):
        self._path = path
        self._known = None

    def _read(self):
        with open(self._path) as file:
            return json.load(file)

    def __getitem__(self, name):
        if self._known is None:  # RH
            self._known = self._read()
        return self._known[name]


texts = Texts("texts.json")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.wfile.write(texts["greeting"].encode())


def main():
    ThreadingHTTPServer(("127.0.0.1", 8080), Handler).serve_forever()
