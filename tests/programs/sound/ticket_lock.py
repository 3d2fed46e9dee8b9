"""Whoever draws a number has the turn when it is called."""

import itertools


class Counter:
    def __init__(self) -> None:
        self.tickets = itertools.count()
        self.called = 0
        self.value = 0

    def increment(self) -> None:
        ticket = next(self.tickets)
        while self.called != ticket:
            pass
        self.value += 1
        self.called += 1


setup = Counter
WORKERS = [Counter.increment, Counter.increment]


def invariant(counter: Counter) -> bool:
    return counter.value == 2
