import threading


class Feed:
    def __init__(self, lines):
        self._lock = threading.Lock()
        self._lines = iter(lines)

    def take(self):
        return next(self._lines)  # RH
