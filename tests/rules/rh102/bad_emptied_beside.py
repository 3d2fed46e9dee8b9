import threading


class Outbox:
    """The lock keeps those who send apart; whoever adds does not take it."""

    def __init__(self, send):
        self._lock = threading.Lock()
        self._send = send
        self._rows = []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def add(self, row):
        self._rows.append(row)

    def _run(self):
        while True:
            self.flush()

    def flush(self):
        with self._lock:
            batch = list(self._rows)
            self._send(batch)
            self._rows.clear()  # RH
