"""A generator that is asked under a lock, by hand and by a loop."""

import threading
from collections.abc import Iterator


class Numbers:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.numbers = self.count()

    def count(self) -> Iterator[int]:
        number = 0
        while True:
            number += 1
            yield number

    def take(self) -> int:
        with self.lock:
            return next(self.numbers)

    def first(self) -> int:
        with self.lock:
            for number in self.numbers:
                return number
        return 0


setup = Numbers
WORKERS = [Numbers.take, Numbers.first]
