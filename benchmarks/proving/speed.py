"""The programs on which searches are timed: the same text for both tools."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Timed:
    setup: Callable[[], Any]
    workers: list[Callable[[Any], object]]
    holds: Callable[[Any], bool]
    racy: bool


class LockedCounter:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.value = 0

    def twice(self) -> None:
        for _ in range(2):
            with self.lock:
                self.value += 1


class Singleton:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.instance: object = None
        self.made = 0

    def get(self) -> object:
        if self.instance is None:
            with self.lock:
                if self.instance is None:
                    self.made += 1
                    self.instance = "the one"
        return self.instance


class Pair:
    def __init__(self) -> None:
        self.a = 0
        self.b = 0
        self.seen = (0, 0)

    def write(self) -> None:
        self.a = 1
        self.b = -1

    def check(self) -> None:
        self.seen = (self.a, self.b)


class Counter:
    def __init__(self) -> None:
        self.value = 0

    def increment(self) -> None:
        self.value += 1


TIMED = {
    "locked_counter_3x2": Timed(
        LockedCounter, [LockedCounter.twice] * 3, lambda counter: counter.value == 6, False
    ),
    "dcl_3t": Timed(Singleton, [Singleton.get] * 3, lambda single: single.made == 1, False),
    "reorder_3_1": Timed(Pair, [*[Pair.write] * 3, Pair.check], lambda pair: pair.seen in ((0, 0), (1, -1)), True),
    "lost_update": Timed(Counter, [Counter.increment] * 2, lambda counter: counter.value == 2, True),
}
