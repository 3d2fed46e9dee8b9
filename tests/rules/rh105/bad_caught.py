"""Whoever catches that there is none yet makes one."""

import threading


class Engine:
    def __init__(self):
        self._lock = threading.Lock()
        self.used = 0

    def use(self):
        with self._lock:
            self.used += 1

    def connection(self):
        try:
            return self._connection  # RH
        except AttributeError:
            self._connection = Connection()
            return self._connection


class Connection:
    pass
