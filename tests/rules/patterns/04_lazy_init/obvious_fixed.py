import threading


class Settings:
    def __init__(self):
        self._write_lock = threading.Lock()
        self._lock = threading.Lock()
        self._parsed = None

    def parsed(self):
        if self._parsed is None:
            with self._lock:
                if self._parsed is None:
                    self._parsed = Parser()
        return self._parsed
