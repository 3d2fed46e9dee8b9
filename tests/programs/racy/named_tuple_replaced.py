"""Each task replaces one field of the same tuple and loses the other's."""

from typing import NamedTuple


class Totals(NamedTuple):
    read: int = 0
    written: int = 0


class Meter:
    def __init__(self) -> None:
        self.totals = Totals()

    def count_read(self) -> None:
        self.totals = self.totals._replace(read=self.totals.read + 1)

    def count_written(self) -> None:
        self.totals = self.totals._replace(written=self.totals.written + 1)


setup = Meter
WORKERS = [Meter.count_read, Meter.count_written]
