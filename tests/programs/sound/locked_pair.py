"""Both writes and both reads under one lock, with several writers."""

import threading


class Pair:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.a = 0
        self.b = 0
        self.seen: tuple[int, int] | None = None

    def write(self) -> None:
        with self._lock:
            self.a = 1
            self.b = -1

    def check(self) -> None:
        with self._lock:
            self.seen = (self.a, self.b)


setup = Pair
WORKERS = [Pair.write, Pair.write, Pair.write, Pair.check]


def invariant(pair: Pair) -> bool:
    return pair.seen in ((0, 0), (1, -1))
