"""Every access under one lock."""

import threading


class Counter:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.value = 0

    def increment(self) -> None:
        for _ in range(2):
            with self._lock:
                self.value += 1


setup = Counter
WORKERS = [Counter.increment, Counter.increment]


def invariant(counter: Counter) -> bool:
    return counter.value == 4
