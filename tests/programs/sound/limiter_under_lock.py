"""A limiter that waits until its interval is past, one caller after the other."""

import threading
import time


class Limiter:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.last = 0.0
        self.passed: list[float] = []

    def wait(self) -> None:
        with self._lock:
            while time.monotonic() - self.last <= 0.5:
                time.sleep(0.5 - (time.monotonic() - self.last))
            self.last = time.monotonic()
            self.passed.append(self.last)


setup = Limiter
WORKERS = [Limiter.wait, Limiter.wait]


def invariant(limiter: Limiter) -> bool:
    first, second = sorted(limiter.passed)
    return second - first > 0.5
