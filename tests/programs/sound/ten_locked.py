"""Ten identical tasks, one lock."""

import threading


class Counter:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.value = 0

    def increment(self) -> int:
        with self._lock:
            self.value += 1
            return self.value


setup = Counter
WORKERS = [Counter.increment] * 10
