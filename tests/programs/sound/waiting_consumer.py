"""The consumer looks again after it was woken, whoever comes first."""

import threading


class Buffer:
    def __init__(self) -> None:
        self.filled = threading.Condition()
        self.items: list[int] = []

    def put(self) -> None:
        with self.filled:
            self.items.append(1)
            self.filled.notify()

    def get(self) -> int:
        with self.filled:
            while not self.items:
                self.filled.wait()
            return self.items.pop()


setup = Buffer
WORKERS = [Buffer.get, Buffer.put]
