"""Three philosophers, each with the left fork first."""

import threading


class Table:
    def __init__(self) -> None:
        self.forks = [threading.Lock() for _ in range(3)]

    def dine(self, seat: int) -> int:
        with self.forks[seat]:
            with self.forks[(seat + 1) % 3]:
                return seat


setup = Table
WORKERS = [lambda table: table.dine(0), lambda table: table.dine(1), lambda table: table.dine(2)]
