import threading


class Ledger:
    def __init__(self):
        self.entries = []

    def add(self, entry):
        with threading.Lock():  # RH
            self.entries.append(entry)
            self.total = sum(self.entries)
