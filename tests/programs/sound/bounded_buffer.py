"""Producers wait for room and consumers for items, each in a loop."""

import threading


class Buffer:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.items: list[int] = []

    def put(self) -> None:
        with self._changed:
            while self.items:
                self._changed.wait()
            self.items.append(1)
            self._changed.notify_all()

    def get(self) -> None:
        with self._changed:
            while not self.items:
                self._changed.wait()
            self.items.pop()
            self._changed.notify_all()


setup = Buffer
WORKERS = [Buffer.get, Buffer.put]
