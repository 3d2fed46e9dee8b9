"""Everybody has written before anybody reads."""

import threading


class Phases:
    def __init__(self) -> None:
        self.barrier = threading.Barrier(2)
        self.parts = [0, 0]

    def work(self, index: int) -> int:
        self.parts[index] = 1
        self.barrier.wait()
        return self.parts[0] + self.parts[1]


setup = Phases
WORKERS = [lambda phases: phases.work(0), lambda phases: phases.work(1)]
