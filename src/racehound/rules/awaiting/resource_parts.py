"""Names inside a `with` block for what ends with the resource: the resource itself, and handles it gives out."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from racehound.source.events import Bind, Pause, Shape, Value
from racehound.source.facts import FunctionFacts

_HANDLES = frozenset({"acquire", "channel", "connect", "connection", "cursor", "session", "stream", "transaction"})
"""Methods whose result is of no use once the resource is closed."""
_PATHS = frozenset(
    {"join", "joinpath", "Path", "PurePath", "abspath", "realpath", "resolve", "absolute", "str", "fspath"}
)
_PUT_TOGETHER = frozenset({"/", "+", "f"})


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


def paths_below(function: FunctionFacts, block: tuple[int, int], names: Iterable[str]) -> frozenset[str]:
    """The names of a directory, and those that are bound to a path in it between the two events."""
    known = set(names)
    for event in function.events[block[0] : block[1]]:
        if isinstance(event, Bind) and any(is_path_below(value, known) for value in event.values):
            known.add(event.name)
    return frozenset(known)


def is_path_below(value: Value, names: AbstractSet[str]) -> bool:
    if value.shape is Shape.PLACE:
        return value.place is not None and value.place.root in names
    if value.shape is Shape.CALL and value.name not in _PATHS:
        return False
    if value.shape is Shape.OTHER and value.name not in _PUT_TOGETHER:
        return False
    own = value.place is not None and value.place.root in names
    return own or any(is_path_below(part, names) for part in value.arguments)


def _belongs(value: Value, names: set[str]) -> bool:
    if value.place is None or value.place.root not in names:
        return False
    if value.shape is Shape.CALL:
        return value.place.attributes[-1:] != () and value.place.attributes[-1] in _HANDLES
    return value.shape is Shape.PLACE and not value.place.attributes
