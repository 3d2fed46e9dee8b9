"""A circuit breaker that opens one failure late."""


class Breaker:
    def __init__(self) -> None:
        self.failures = 0
        self.is_open = False

    def fail(self) -> None:
        self.failures += 1
        if self.failures >= 3:
            self.is_open = True


setup = Breaker
WORKERS = [Breaker.fail, Breaker.fail, Breaker.fail]


def invariant(breaker: Breaker) -> bool:
    return breaker.is_open
