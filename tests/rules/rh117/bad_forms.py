import threading
from threading import RLock


class Parser:
    """Bytes on the way, without a lock of its own."""

    def __init__(self):
        self.outgoing = []
        self.number = 0

    def add(self, part):
        self.number += 1
        self.outgoing.append((self.number, part))
        return self.number

    def take(self):
        data = b"".join(part for _, part in self.outgoing)
        self._forget()
        return data

    def _forget(self):
        self.outgoing = self.outgoing[len(self.outgoing) :]

    def size(self):
        return len(self.outgoing)


class Line:
    def __init__(self, socket):
        self._lock = threading.Lock()
        self._socket = socket
        self._parser = Parser()

    def send(self, part):
        with self._lock:
            return self._parser.add(part)

    def send_pending(self):
        data = self._parser.take()  # RH
        self._socket.sendall(data)

    def backlog(self):
        return self._parser.size()


class Window:
    def __init__(self):
        self.sum = 0
        self.seen = 0

    def note(self, value):
        self.sum += value
        self.seen += 1

    def reset(self):
        self.sum = self.seen = 0


class Gauge:
    def __init__(self):
        self._guard = RLock()
        self._window = Window()

    def observe(self, value):
        self._window.note(value)  # RH

    def roll(self):
        with self._guard:
            self._window.reset()
