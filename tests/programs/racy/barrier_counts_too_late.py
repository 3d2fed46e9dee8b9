"""The action of a barrier reads a count that two tasks have raised without a lock."""

import threading


class Race:
    def __init__(self) -> None:
        self.line = threading.Barrier(2, action=self.start)
        self.ready = 0
        self.started_with = 0

    def start(self) -> None:
        self.started_with = self.ready

    def run(self) -> None:
        self.ready += 1
        self.line.wait()


setup = Race
WORKERS = [Race.run, Race.run]


def invariant(race: Race) -> bool:
    return race.started_with == 2
