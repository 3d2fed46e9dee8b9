import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Backend:
    def __init__(self):
        self._ready = threading.Lock()
        self._client = None

    @property
    def client(self):
        with self._ready:
            if not self._client:
                client = connect("backend")
                self._client = client
            return self._client


backend = Backend()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.wfile.write(backend.client.get(self.path))


def main():
    ThreadingHTTPServer(("", 8080), Handler).serve_forever()
