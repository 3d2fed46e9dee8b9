"""Each task has an entry of its own."""


class Table:
    def __init__(self) -> None:
        self.cells = {"a": 0, "b": 0}

    def bump(self, key: str) -> None:
        self.cells[key] += 1


setup = Table
WORKERS = [lambda table: table.bump("a"), lambda table: table.bump("b")]
