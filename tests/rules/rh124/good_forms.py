import threading
from multiprocessing import Pipe


class Reader:
    """One thread reads, the others write, each message at once."""

    def __init__(self, sock):
        self._sock = sock
        self._lock = threading.Lock()
        self._answers = {}
        threading.Thread(target=self._read).start()

    def _read(self):
        while True:
            key, answer = parse(self._sock.recv(1024))
            with self._lock:
                self._answers[key] = answer

    def send(self, message):
        self._sock.sendall(frame(message))


class Locked:
    """Thread-safe calls of another process."""

    def __init__(self):
        self._conn, self._other = Pipe()
        self._turn = threading.Lock()

    def call(self, name, *arguments):
        with self._turn:
            self._send(name, arguments)
            return self._conn.recv()

    def _send(self, name, arguments):
        self._conn.send(name)
        self._conn.send(arguments)


class Alternatives:
    """Thread-safe: one message either way."""

    def __init__(self, sock):
        self._sock = sock

    def send(self, body, urgent):
        if urgent:
            self._sock.sendall(b"!" + body)
        else:
            self._sock.sendall(body)


class OneThread:
    """Nothing says that threads share it."""

    def __init__(self, sock):
        self._sock = sock

    def ask(self, question):
        self._sock.sendall(question)
        return self._sock.recv(1024)


class Report:
    """Thread-safe; each line of a log stands for itself."""

    def __init__(self, out):
        self._out = out

    def tell(self, lines):
        self._out.write("begin")
        self._out.write(lines)
