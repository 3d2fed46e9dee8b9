"""A lock that every call makes for itself guards nothing."""

import threading


class Score:
    def __init__(self) -> None:
        self.points = 0

    def add(self) -> None:
        lock = threading.Lock()
        with lock:
            self.points += 1


setup = Score
WORKERS = [Score.add, Score.add]
