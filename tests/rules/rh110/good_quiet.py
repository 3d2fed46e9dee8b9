import threading


class Base:
    def __init__(self):
        self._lock = threading.Lock()
        self._rows = {}
        self._fixed = {}
        self._replaced = {}
        self._count = 0

    def put(self, key, row):
        with self._lock:
            self._rows[key] = row
            self._replaced = {key: row}
            self._count += 1

    def rows(self):
        with self._lock:
            return dict(self._rows)

    def fixed(self):
        with self._lock:
            return self._fixed

    def replaced(self):
        with self._lock:
            return self._replaced

    def count(self):
        with self._lock:
            return self._count

    def _rows_locked(self):
        with self._lock:
            return self._rows

    def row(self, key):
        with self._lock:
            return self._rows[key]
