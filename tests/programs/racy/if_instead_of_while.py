"""A consumer that does not look again after it was woken."""

import threading


class Buffer:
    def __init__(self) -> None:
        self.filled = threading.Condition()
        self.items: list[int] = []

    def put(self) -> None:
        with self.filled:
            self.items.append(1)
            self.filled.notify_all()

    def get(self) -> int:
        with self.filled:
            if not self.items:
                self.filled.wait()
            return self.items.pop()


setup = Buffer
WORKERS = [Buffer.get, Buffer.get, lambda buffer: (buffer.put(), buffer.put())[0]]


def invariant(buffer: Buffer) -> bool:
    return not buffer.items
