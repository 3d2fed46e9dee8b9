import threading


class Buffer:
    def __init__(self):
        self._lock = threading.Lock()
        self._lines = []

    def write(self, line):
        with self._lock:
            self._lines.append(line)

    def drain(self):
        with self._lock:
            lines = self._lines
            self._lines = []
            return lines
