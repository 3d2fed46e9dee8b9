"""`wait_for` looks again by itself."""

import threading


class Stock:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.left = 0

    def fill(self) -> None:
        with self._changed:
            self.left += 2
            self._changed.notify_all()

    def take(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self.left > 0)
            self.left -= 1


setup = Stock
WORKERS = [Stock.take, Stock.fill]
