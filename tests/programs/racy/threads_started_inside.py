"""Threads that a method starts and joins, without a lock between them."""

import threading


class Totals:
    def __init__(self) -> None:
        self.total = 0

    def add(self) -> None:
        self.total += 1

    def add_twice(self) -> None:
        threads = [threading.Thread(target=self.add) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


setup = Totals
WORKERS = [Totals.add_twice]


def invariant(totals: Totals) -> bool:
    return totals.total == 2
