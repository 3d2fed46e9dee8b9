"""Two resources, each behind a semaphore, asked for in opposite orders."""

import threading


class Bench:
    def __init__(self) -> None:
        self.saw = threading.Semaphore(1)
        self.glue = threading.Semaphore(1)
        self.made = 0

    def chair(self) -> None:
        with self.saw, self.glue:
            self.made += 1

    def table(self) -> None:
        with self.glue, self.saw:
            self.made += 1


setup = Bench
WORKERS = [Bench.chair, Bench.table]
