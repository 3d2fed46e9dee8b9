"""The flag is looked at before the lock is taken, so the notification may come before the wait."""

import threading


class Latch:
    def __init__(self) -> None:
        self._opened = threading.Condition()
        self.is_open = False

    def open(self) -> None:
        with self._opened:
            self.is_open = True
            self._opened.notify_all()

    def wait(self) -> None:
        if not self.is_open:
            with self._opened:
                self._opened.wait()


setup = Latch
WORKERS = [Latch.wait, Latch.open]


def invariant(latch: Latch) -> bool:
    return latch.is_open
