"""A semaphore with one place keeps three tasks apart, and a bounded one notices one release too many."""

import threading


class Slot:
    def __init__(self) -> None:
        self.place = threading.BoundedSemaphore(1)
        self.used = 0

    def use(self) -> None:
        with self.place:
            self.used += 1


setup = Slot
WORKERS = [Slot.use, Slot.use, Slot.use]


def invariant(slot: Slot) -> bool:
    return slot.used == 3
