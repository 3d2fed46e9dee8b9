"""A descriptor that keeps values itself; `+=` goes through both of its methods."""

from weakref import WeakKeyDictionary


class Counted:
    def __init__(self) -> None:
        self.kept: WeakKeyDictionary[Shelf, int] = WeakKeyDictionary()

    def __get__(self, shelf: "Shelf", owner: type) -> int:
        return self.kept.get(shelf, 0)

    def __set__(self, shelf: "Shelf", value: int) -> None:
        self.kept[shelf] = value


class Shelf:
    books = Counted()

    def put(self) -> None:
        self.books += 1


def setup() -> Shelf:
    vars(Shelf)["books"].kept.clear()
    return Shelf()


WORKERS = [Shelf.put, Shelf.put]


def invariant(shelf: Shelf) -> bool:
    return shelf.books == 2
