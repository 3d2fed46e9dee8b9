"""Breaks only when control goes back and forth four times."""


class Chain:
    def __init__(self) -> None:
        self.a = self.b = self.c = self.d = 0
        self.broken = False

    def first(self) -> None:
        self.a = 1
        if self.b == 1:
            self.c = 1
            if self.d == 1:
                self.broken = True

    def second(self) -> None:
        if self.a == 1:
            self.b = 1
            if self.c == 1:
                self.d = 1


setup = Chain
WORKERS = [Chain.first, Chain.second]


def invariant(chain: Chain) -> bool:
    return not chain.broken
