"""One permit, so one at a time."""

import threading


class Printer:
    def __init__(self) -> None:
        self._free = threading.Semaphore(1)
        self.pages = 0

    def print_page(self) -> None:
        with self._free:
            self.pages += 1


setup = Printer
WORKERS = [Printer.print_page, Printer.print_page]
