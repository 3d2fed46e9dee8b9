"""A missing entry is made by code of the program, and two of them are made at once."""

from collections import defaultdict


class Connection:
    pass


class Pool:
    def __init__(self) -> None:
        self.opened = 0
        self.connections: defaultdict[str, Connection] = defaultdict(self.connect)

    def connect(self) -> Connection:
        self.opened += 1
        return Connection()

    def use(self) -> None:
        self.connections["host"]


setup = Pool
WORKERS = [Pool.use, Pool.use]
