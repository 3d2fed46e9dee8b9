"""TOML from plain values, for where no library that keeps comments is installed."""

from __future__ import annotations

import math
from datetime import date, datetime, time

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def write(table: Mapping[str, object]) -> str:
    """The text of a document.

    Raises:
        TypeError: for a value, or a key, that TOML does not have; None is one.
    """
    return "\n".join(_table(table, ())).lstrip("\n") + "\n" if table else ""


def _table(table: Mapping[str, object], path: tuple[str, ...]) -> Iterator[str]:
    """Plain values come before the sub-tables: behind a header they would belong to it."""
    for name, value in table.items():
        if not (_is_table(value) or _is_array_of_tables(value)):
            yield f"{_key(name)} = {_value(value)}"
    for name, value in table.items():
        below = (*path, name)
        if isinstance(value, dict):
            yield from _section(value, below)
        elif _is_array_of_tables(value):
            for element in value:  # type: ignore[attr-defined]  # the check above says it is a list
                yield from ("", f"[[{_dotted(below)}]]")
                yield from _table(element, below)


def _section(table: Mapping[str, object], path: tuple[str, ...]) -> Iterator[str]:
    """A table that has only sub-tables needs no header of its own."""
    if not table or any(not (_is_table(value) or _is_array_of_tables(value)) for value in table.values()):
        yield from ("", f"[{_dotted(path)}]")
    yield from _table(table, path)


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _is_array_of_tables(value: object) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(item, dict) for item in value)


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(_key(name) for name in path)


def _key(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"the key {name!r} is not text")
    return name if name and set(name) <= _BARE else _text(name)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return int.__repr__(value)  # classes of their own, such as enumerations, print as something else
        case float():
            return _float(value)
        case str():
            return _text(value)
        case datetime() | date() | time():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(_value(item) for item in value)}]"
        case dict():
            pairs = ", ".join(f"{_key(name)} = {_value(item)}" for name, item in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case _:
            raise TypeError(f"TOML has no {type(value).__name__}")


def _float(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return float.__repr__(value)


def _text(value: str) -> str:
    return '"' + "".join(_escaped(letter) for letter in value) + '"'


def _escaped(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    return f"\\u{ord(letter):04x}" if letter < " " or letter == "\x7f" else letter
