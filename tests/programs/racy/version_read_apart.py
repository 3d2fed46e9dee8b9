"""A state is exchanged only if nobody else has done so, but its number was read a moment before it."""

import threading


class Ledger:
    def __init__(self) -> None:
        self.version = 0
        self.entries: tuple[int, ...] = ()
        self.lock = threading.Lock()

    def add(self) -> None:
        while True:
            version, entries = self.version, self.entries
            longer = (*entries, 1)
            with self.lock:
                if self.entries is entries:
                    self.version, self.entries = version + 1, longer
                    return


setup = Ledger
WORKERS = [Ledger.add, Ledger.add]


def invariant(ledger: Ledger) -> bool:
    return ledger.version == len(ledger.entries)
