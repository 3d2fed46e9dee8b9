"""`setdefault` as `collections.abc` builds it from other methods is no single step."""

from collections.abc import Iterator, MutableMapping


class Table(MutableMapping[str, list[int]]):
    def __init__(self) -> None:
        self.rows: dict[str, list[int]] = {}

    def __getitem__(self, key: str) -> list[int]:
        return self.rows[key]

    def __setitem__(self, key: str, value: list[int]) -> None:
        self.rows[key] = value

    def __delitem__(self, key: str) -> None:
        del self.rows[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


setup = Table


def add(table: Table) -> None:
    table.setdefault("a", []).append(1)


WORKERS = [add, add]


def invariant(table: Table) -> bool:
    return table.rows["a"] == [1, 1]
