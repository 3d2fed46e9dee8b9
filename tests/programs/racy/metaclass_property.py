"""The counter is a property of the metaclass."""


class Counting(type):
    made = 0

    @property
    def count(cls) -> int:
        return Counting.made

    @count.setter
    def count(cls, value: int) -> None:
        Counting.made = value


class Item(metaclass=Counting):
    pass


def setup() -> type[Item]:
    Item.count = 0
    return Item


def make(kind: type[Item]) -> None:
    kind.count += 1


WORKERS = [make, make]


def invariant(kind: type[Item]) -> bool:
    return kind.count == 2
