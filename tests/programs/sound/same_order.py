"""Two locks, always in the same order."""

import threading


class Pair:
    def __init__(self) -> None:
        self.left = threading.Lock()
        self.right = threading.Lock()
        self.moves = 0

    def move(self) -> None:
        with self.left, self.right:
            self.moves += 1


setup = Pair
WORKERS = [Pair.move, Pair.move]
