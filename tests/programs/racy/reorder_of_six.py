"""Five writers in the same order, and a checker that sees the second write without the first."""


class Pair:
    def __init__(self) -> None:
        self.a = 0
        self.b = 0
        self.seen: tuple[int, int] | None = None

    def write(self) -> None:
        self.a = 1
        self.b = -1

    def check(self) -> None:
        self.seen = (self.a, self.b)


setup = Pair
WORKERS = [*[Pair.write] * 5, Pair.check]


def invariant(pair: Pair) -> bool:
    return pair.seen in ((0, 0), (1, -1))
