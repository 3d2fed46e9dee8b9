import socketserver
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Stats:
    def __init__(self):
        self.sizes = {}
        self.left = 5

    def record(self, client, size):
        self.sizes[client] = self.sizes.get(client, 0) + size  # RH
        return self.sizes[client]


class Lines(socketserver.StreamRequestHandler):
    def handle(self):
        size = self.server.stats.record(self.client_address[0], len(self.rfile.readline()))
        self.wfile.write(b"%d\n" % size)
        self.answer()

    def answer(self):
        self.server.budget -= 1  # RH
        self.server.stats.left -= 1  # RH
        if self.server.budget < 0 or self.server.stats.left < 0:
            raise SystemExit


class LineServer(socketserver.ThreadingMixIn, socketserver.TCPServer):
    def __init__(self, address):
        super().__init__(address, Lines)
        self.stats = Stats()
        self.budget = 100


class Tickets:
    def __init__(self):
        self.last = 0

    def draw(self):
        self.last += 1  # RH
        return self.last


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.wfile.write(b"%d" % self.server.tickets.draw())


def main():
    web = ThreadingHTTPServer(("", 8000), Page)
    web.tickets = Tickets()
    web.serve_forever()
