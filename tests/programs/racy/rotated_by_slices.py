"""A list that is turned in place: its slices are read one after the other, then all of it is written."""


class Rota:
    def __init__(self) -> None:
        self.names = ["a", "b", "c"]

    def turn(self) -> None:
        self.names[:] = self.names[1:] + self.names[:1]


setup = Rota
WORKERS = [Rota.turn, Rota.turn]


def invariant(rota: Rota) -> bool:
    return rota.names == ["c", "a", "b"]
