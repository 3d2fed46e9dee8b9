"""Two loaves come at once and one waiter is told: the other waits for ever."""

import threading


class Bakery:
    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.loaves = 0

    def bake(self) -> None:
        with self.changed:
            self.loaves += 2
            self.changed.notify()

    def buy(self) -> None:
        with self.changed:
            while self.loaves == 0:
                self.changed.wait()
            self.loaves -= 1


setup = Bakery
WORKERS = [Bakery.buy, Bakery.buy, Bakery.bake]


def invariant(_: Bakery) -> bool:
    return True
