import threading


class Pool:
    def __init__(self):
        self._lock = threading.Lock()
        self._free = []

    def put(self, raw):
        with self._lock:  # RH
            self._free.append(raw)

    def get(self):
        with self._lock:
            return Connection(self, self._free.pop())


class Connection:
    """Was given the pool, which others have, too."""

    def __init__(self, pool: Pool, raw):
        self._pool = pool
        self._raw = raw

    def __del__(self):
        self._pool.put(self._raw)
