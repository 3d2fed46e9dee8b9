"""Names inside a `with` block for what ends with the resource: the resource itself, and handles it gives out."""

from collections.abc import Iterable

from racehound.source.events import Bind, Pause, Shape, Value
from racehound.source.facts import FunctionFacts

_HANDLES = frozenset({"acquire", "channel", "connect", "connection", "cursor", "session", "stream", "transaction"})
"""Methods whose result is of no use once the resource is closed."""


def parts_of(function: FunctionFacts, block: tuple[int, int], names: Iterable[str]) -> frozenset[str]:
    """The names given, and those that are bound to the same, or to a handle, between the two events."""
    known = set(names)
    begin, end = block
    for before, event in zip(function.events[begin:end], function.events[begin + 1 : end], strict=False):
        if isinstance(event, Bind):
            given = (*event.values, before.value) if isinstance(before, Pause) else event.values
            if any(_belongs(value, known) for value in given):
                known.add(event.name)
    return frozenset(known)


def _belongs(value: Value, names: set[str]) -> bool:
    if value.place is None or value.place.root not in names:
        return False
    if value.shape is Shape.CALL:
        return value.place.attributes[-1:] != () and value.place.attributes[-1] in _HANDLES
    return value.shape is Shape.PLACE and not value.place.attributes
