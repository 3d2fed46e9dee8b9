"""Two steps under two locks that belong together; a reader comes in between them."""

import threading


class Stages:
    def __init__(self) -> None:
        self._first = threading.Lock()
        self._second = threading.Lock()
        self.raw = 0
        self.cooked = 0
        self.broken = False

    def work(self) -> None:
        with self._first:
            self.raw = 1
        with self._second:
            self.cooked = self.raw + 1

    def look(self) -> None:
        with self._first:
            raw = self.raw
        if raw:
            with self._second:
                cooked = self.cooked
            if cooked != raw + 1:
                self.broken = True


setup = Stages
WORKERS = [Stages.work, Stages.look]


def invariant(stages: Stages) -> bool:
    return not stages.broken
