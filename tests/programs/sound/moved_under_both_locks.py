"""What moves from one half of a table to the other does so under the locks of both."""

import threading


class Table:
    def __init__(self) -> None:
        self.locks = [threading.Lock(), threading.Lock()]
        self.halves = [{"key": 1}, {}]

    def move(self) -> None:
        with self.locks[0], self.locks[1]:
            self.halves[1]["key"] = self.halves[0].pop("key")

    def size(self) -> int:
        with self.locks[0], self.locks[1]:
            return len(self.halves[0]) + len(self.halves[1])


setup = Table
WORKERS = [Table.move, Table.size]
