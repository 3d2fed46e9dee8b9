"""A signal that is cleared before the other side has looked at it."""

import threading


class Doorbell:
    def __init__(self) -> None:
        self._rung = threading.Event()
        self.answered = 0

    def ring(self) -> None:
        self._rung.set()
        self._rung.clear()

    def answer(self) -> None:
        self._rung.wait()
        self.answered += 1


setup = Doorbell
WORKERS = [Doorbell.ring, Doorbell.answer]


def invariant(bell: Doorbell) -> bool:
    return bell.answered == 1
