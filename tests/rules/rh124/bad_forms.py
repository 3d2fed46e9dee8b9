import threading
from multiprocessing import Pipe


class Driver:
    """By another name, and beside the thread that reads."""

    def __init__(self, port):
        self._port = port
        self._lock = threading.Lock()
        self._state = None
        threading.Thread(target=self._poll).start()

    def _poll(self):
        while True:
            port = self._port
            port.write(b"?")
            state = port.readline()  # RH
            with self._lock:
                self._state = state

    def set(self, value):
        self._port.write(value)


class Remote:
    """Thread-safe calls of another process."""

    def __init__(self):
        self._conn, self._other = Pipe()

    def call(self, name, *arguments):
        self._conn.send(name)
        self._conn.send(arguments)  # RH
        return self._conn.recv()
