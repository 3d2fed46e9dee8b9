import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Worker(threading.Thread):
    done = 0
    sizes = {}

    def __init__(self, name):
        super().__init__()
        self.key = name

    def run(self):
        Worker.done += 1  # RH
        self.sizes[self.key] += 1  # RH


def work(names):
    for name in names:
        Worker(name).start()


class Handler(BaseHTTPRequestHandler):
    hits = 0

    def do_GET(self):
        Handler.hits += 1  # RH


def serve():
    ThreadingHTTPServer(("", 8000), Handler).serve_forever()
