import threading


class Table:
    """Thread-safe."""

    _rows = None

    def row(self, key):
        try:
            return self._rows[key]  # RH
        except TypeError:
            self._rows = load()
            return self._rows[key]


class Link:
    def __init__(self):
        self._lock = threading.Lock()
        self._connection = None
        self._sent = 0

    def sent(self):
        with self._lock:
            self._sent += 1

    def send(self, data):
        try:
            self._connection.send(data)  # RH
        except AttributeError:
            self._connection = connect()
            self._connection.send(data)
