"""Each half of a table has a lock of its own, and what moves from one to the other is in neither for a moment."""

import threading


class Table:
    def __init__(self) -> None:
        self.locks = [threading.Lock(), threading.Lock()]
        self.halves = [{"key": 1}, {}]

    def move(self) -> None:
        with self.locks[0]:
            value = self.halves[0].pop("key")
        with self.locks[1]:
            self.halves[1]["key"] = value

    def size(self) -> int:
        with self.locks[0], self.locks[1]:
            return len(self.halves[0]) + len(self.halves[1])


setup = Table
WORKERS = [Table.move, Table.size]
