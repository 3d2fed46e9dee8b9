import socketserver
from threading import Lock


class Stats:
    def __init__(self):
        self.sizes = {}
        self.lock = Lock()

    def record(self, client, size):
        with self.lock:
            self.sizes[client] = self.sizes.get(client, 0) + size
            return self.sizes[client]


class Line:
    def __init__(self):
        self.length = 0

    def grow(self, size):
        self.length += size
        return self.length


class Lines(socketserver.StreamRequestHandler):
    def handle(self):
        line = Line()
        self.rounds = 0
        for part in self.rfile:
            self.rounds += 1
            size = self.server.stats.record(self.client_address[0], line.grow(len(part)))
            self.wfile.write(b"%d %d\n" % (size, self.rounds))


class LineServer(socketserver.ThreadingTCPServer):
    def __init__(self, address):
        super().__init__(address, Lines)
        self.stats = Stats()
