import threading


class Parser:
    def __init__(self):
        self.outgoing = []
        self.limit = 0

    def add(self, part):
        self.outgoing.append(part)

    def take(self):
        data, self.outgoing = self.outgoing, []
        return data

    def size(self):
        return len(self.outgoing)

    def set_limit(self, limit):
        self.limit = limit


class Line:
    def __init__(self, socket):
        self._lock = threading.Lock()
        self._socket = socket
        self._parser = Parser()

    def send(self, part):
        with self._lock:
            self._parser.add(part)

    def send_pending(self):
        with self._lock:
            data = self._take()
        self._socket.sendall(data)

    def _take(self):
        return self._parser.take()

    def backlog(self):
        return self._parser.size()

    def allow(self, limit):
        self._parser.set_limit(limit)

    def start(self):
        self._parser.take()

    def close(self):
        self._parser.take()


class Locked:
    """Has a lock by itself."""

    def __init__(self):
        self._lock = threading.Lock()
        self.outgoing = []

    def add(self, part):
        with self._lock:
            self.outgoing.append(part)

    def take(self):
        with self._lock:
            data, self.outgoing = self.outgoing, []
        return data


class Other:
    def __init__(self):
        self._lock = threading.Lock()
        self._parts = Locked()
        self.sent = 0

    def send(self, part):
        with self._lock:
            self._parts.add(part)
            self.sent += 1

    def flush(self):
        return self._parts.take()


class Loop:
    """The lock says that the loop runs; it is held for nothing in particular."""

    def __init__(self):
        self._lock = threading.Lock()
        self._parser = Parser()
        self._ended = False

    def run(self):
        with self._lock:
            while not self._ended:
                self._parser.take()

    def send(self, part):
        self._parser.add(part)
