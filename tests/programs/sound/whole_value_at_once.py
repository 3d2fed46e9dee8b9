"""The pair is replaced in one write, so nobody sees half of it."""


class Range:
    def __init__(self) -> None:
        self.ends = (0, 0)

    def move(self) -> None:
        self.ends = (10, 20)

    def length(self) -> int:
        low, high = self.ends
        return high - low


setup = Range
WORKERS = [Range.move, Range.length, Range.length]
