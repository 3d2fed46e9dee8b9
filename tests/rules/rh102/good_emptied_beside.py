import threading


class Outbox:
    """Whoever adds takes the lock as well."""

    def __init__(self, send):
        self._lock = threading.Lock()
        self._send = send
        self._rows = []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def add(self, row):
        with self._lock:
            self._rows.append(row)

    def _run(self):
        while True:
            self.flush()

    def flush(self):
        with self._lock:
            batch = list(self._rows)
            self._send(batch)
            self._rows.clear()


class Sent:
    """Only as many are taken out as were sent."""

    def __init__(self, send):
        self._lock = threading.Lock()
        self._send = send
        self._rows = []
        self._thread = threading.Thread(target=self.flush)
        self._thread.start()

    def add(self, row):
        self._rows.append(row)

    def flush(self):
        with self._lock:
            batch = list(self._rows)
            self._send(batch)
            del self._rows[: len(batch)]
