"""Two locks, taken in opposite orders."""

import threading


class Pair:
    def __init__(self) -> None:
        self.left = threading.Lock()
        self.right = threading.Lock()
        self.moves = 0

    def forth(self) -> None:
        with self.left, self.right:
            self.moves += 1

    def back(self) -> None:
        with self.right, self.left:
            self.moves += 1


setup = Pair
WORKERS = [Pair.forth, Pair.back]
