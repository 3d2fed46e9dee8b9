"""The lock is given back between the read and the write that belong together."""

import threading


class Stock:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.left = 1

    def take(self) -> bool:
        with self._lock:
            available = self.left > 0
        if available:
            with self._lock:
                self.left -= 1
        return available


setup = Stock
WORKERS = [Stock.take, Stock.take]
