"""What code does with a parameter says what it must be."""

import builtins
from collections.abc import Callable
from pathlib import Path

import pytest

from racehound.scenario.usage import LIST, MAPPING, NUMBER, TABLE, TEXT, required_type, uses_of


class Store:
    def __init__(self) -> None:
        self.root = Path()

    def save(self, name, data, share) -> object:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        (self.root / name).write_text(data)
        return 3 / share

    def export(self, rows, items, table) -> object:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        lines = []
        for row in rows:
            lines.append(",".join(map(str, row)))  # noqa: PERF401 - a loop
        for item in items:
            lines.append(item)  # noqa: PERF402 - a loop
        return lines, [key for key, _ in table.items()]


@pytest.mark.parametrize(
    ("method", "parameter", "use"),
    [
        (Store.save, "name", TEXT),
        (Store.save, "data", TEXT),
        (Store.save, "share", NUMBER),
        (Store.export, "rows", TABLE),
        (Store.export, "items", LIST),
        (Store.export, "table", MAPPING),
    ],
)
def test_what_is_done_with_it_says_what_it_is(method: object, parameter: str, use: str) -> None:
    assert callable(method)
    assert uses_of(method, None, home=Store)[parameter] == use


KINDS = (int, bool)


class Gauge:
    def add(self, amount) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        if not isinstance(amount, KINDS):
            raise TypeError(amount)

    def put(self, name) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        if not isinstance(name, builtins.str):
            raise TypeError(name)

    def keep(self, item) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        if not isinstance(item, Path):
            raise TypeError(item)

    def note(self, item) -> object:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        return item if isinstance(item, KINDS) else None


@pytest.mark.parametrize(
    ("method", "parameter", "kind"),
    [
        (Gauge.add, "amount", "int"),
        (Gauge.put, "name", "str"),
        (Gauge.keep, "item", "Path"),
        (Gauge.note, "item", None),
    ],
)
def test_types_that_are_insisted_on_may_have_another_name(
    method: Callable[..., object], parameter: str, kind: str | None
) -> None:
    assert required_type(method, parameter) == kind
