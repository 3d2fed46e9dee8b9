"""Who has joined a thread sees what it wrote."""

import threading


class Sum:
    def __init__(self) -> None:
        self.parts = [0, 0]
        self.total = 0

    def compute(self, index: int) -> None:
        self.parts[index] = index + 1

    def run(self) -> int:
        threads = [threading.Thread(target=self.compute, args=(index,)) for index in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.total = self.parts[0] + self.parts[1]
        return self.total


setup = Sum
WORKERS = [Sum.run]


def invariant(state: Sum) -> bool:
    return state.total == 3
