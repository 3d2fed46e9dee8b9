"""Iterates over a copy that was made under the lock."""

import threading


class Registry:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.prices = {"a": 1, "b": 2}

    def total(self) -> int:
        with self._lock:
            prices = dict(self.prices)
        return sum(price for price in prices.values())

    def add(self) -> None:
        with self._lock:
            self.prices["c"] = 3


setup = Registry
WORKERS = [Registry.total, Registry.add]
