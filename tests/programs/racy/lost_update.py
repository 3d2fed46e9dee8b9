"""Two increments, each a read and a write."""


class Counter:
    def __init__(self) -> None:
        self.value = 0

    def increment(self) -> None:
        self.value += 1


setup = Counter
WORKERS = [Counter.increment, Counter.increment]
