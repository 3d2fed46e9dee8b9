import threading


class Ledger:
    def __init__(self):
        self._lock = threading.Lock()
        self.entries = []

    def add(self, entry):
        with self._lock:
            self.entries.append(entry)
            self.total = sum(self.entries)
