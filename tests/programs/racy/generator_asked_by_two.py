"""Numbers come from a generator, which must not be asked while it runs."""

from collections.abc import Iterator


class Numbers:
    def __init__(self) -> None:
        self.numbers = self.count()

    def count(self) -> Iterator[int]:
        number = 0
        while True:
            number += 1
            yield number

    def take(self) -> int:
        return next(self.numbers)


setup = Numbers
WORKERS = [Numbers.take, Numbers.take]
