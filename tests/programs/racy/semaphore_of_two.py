"""A semaphore with two places does not keep two tasks apart."""

import threading


class Slots:
    def __init__(self) -> None:
        self.places = threading.Semaphore(2)
        self.used = 0

    def use(self) -> None:
        with self.places:
            self.used += 1


setup = Slots
WORKERS = [Slots.use, Slots.use]
