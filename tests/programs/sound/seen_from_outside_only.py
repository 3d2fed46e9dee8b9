"""A chain of mappings, a dictionary of the library, a generator: not looked into, but always under a lock."""

import threading
from collections import ChainMap, UserDict
from collections.abc import Generator
from contextlib import contextmanager


def adding() -> Generator[int, int, None]:
    total = 0
    while True:
        total += yield total


class Ledger:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.settings = ChainMap({"limit": 1}, {"step": 1})
        self.totals = UserDict(sum=0)
        self.adder = adding()
        next(self.adder)

    @contextmanager
    def locked(self) -> Generator["Ledger"]:
        with self.lock:
            yield self

    def book(self) -> None:
        with self.locked() as ledger:
            ledger.settings["limit"] += ledger.settings["step"]
            ledger.totals["sum"] += self.adder.send(1)


setup = Ledger
WORKERS = [Ledger.book, Ledger.book]


def invariant(ledger: Ledger) -> bool:
    return (ledger.settings["limit"], ledger.totals["sum"]) == (3, 3)
