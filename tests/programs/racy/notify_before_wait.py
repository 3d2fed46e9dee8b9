"""The one who waits does not look whether it has been told already: the wake-up is lost."""

import threading


class Gate:
    def __init__(self) -> None:
        self.opened = threading.Condition()

    def open(self) -> None:
        with self.opened:
            self.opened.notify_all()

    def pass_through(self) -> str:
        with self.opened:
            self.opened.wait()
        return "through"


setup = Gate
WORKERS = [Gate.open, Gate.pass_through]


def invariant(gate: Gate) -> bool:
    return True
