"""Each side holds a lock, but not the same one."""

import threading


class Meter:
    def __init__(self) -> None:
        self._reading = threading.Lock()
        self._writing = threading.Lock()
        self.value = 0

    def up(self) -> None:
        with self._reading:
            self.value += 1

    def down(self) -> None:
        with self._writing:
            self.value -= 1


setup = Meter
WORKERS = [Meter.up, Meter.down]
