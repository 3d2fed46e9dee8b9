"""The same with three tasks."""

import threading


class Counter:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.value = 0

    def increment(self) -> None:
        with self._lock:
            self.value += 1


setup = Counter
WORKERS = [Counter.increment, Counter.increment, Counter.increment]
