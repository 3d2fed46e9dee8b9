"""A generator that is sent values by two threads can be at work for one of them only."""

from collections.abc import Generator


def averages() -> Generator[float, float, None]:
    total, count, average = 0.0, 0, 0.0
    while True:
        total += yield average
        count += 1
        average = total / count


class Meter:
    def __init__(self) -> None:
        self.averages = averages()
        next(self.averages)

    def add(self) -> float:
        return self.averages.send(2.0)


setup = Meter
WORKERS = [Meter.add, Meter.add]
