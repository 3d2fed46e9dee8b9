"""Whoever is refused gives back a permit it never had."""

import threading


class Desk:
    def __init__(self) -> None:
        self._seats = threading.Semaphore(1)
        self.inside = 0
        self.most = 0

    def visit(self) -> None:
        admitted = self._seats.acquire(blocking=False)
        try:
            if admitted:
                self.inside += 1
                self.most = max(self.most, self.inside)
                self.inside -= 1
        finally:
            self._seats.release()


setup = Desk
WORKERS = [Desk.visit, Desk.visit, Desk.visit]


def invariant(desk: Desk) -> bool:
    return desk.most <= 1 and desk.inside == 0
