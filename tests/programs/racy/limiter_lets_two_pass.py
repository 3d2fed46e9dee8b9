"""A limiter that waits for its interval, and lets two pass at once that look at the same time."""

import time


class Limiter:
    def __init__(self) -> None:
        self.begun = self.last = time.monotonic()

    def wait(self) -> None:
        left = self.last + 0.5 - time.monotonic()
        if left > 0:
            time.sleep(left)
        self.last = time.monotonic()


setup = Limiter
WORKERS = [Limiter.wait, Limiter.wait]


def invariant(limiter: Limiter) -> bool:
    return limiter.last >= limiter.begun + 1
