"""Two short windows that must both be hit by the same other task."""


class Gate:
    def __init__(self) -> None:
        self.first = False
        self.second = False
        self.hits = 0

    def pass_through(self) -> None:
        self.first = True
        self.first = False
        self.second = True
        self.second = False

    def watch(self) -> None:
        if self.first:
            self.hits += 1
        if self.second:
            self.hits += 1


setup = Gate
WORKERS = [Gate.pass_through, Gate.watch]


def invariant(gate: Gate) -> bool:
    return gate.hits < 2
