"""Parts of a name that the clock gives, and that two runs of one second have in common."""

from racehound.rules.files.file_names import binds
from racehound.source.events import Shape, Value
from racehound.source.facts import FunctionFacts

CLOCK = Value(Shape.OTHER, "seconds")
"""Stands for `int(time.time())`."""
_SECONDS = frozenset({"time.time", "time"})


def seconds_apart(function: FunctionFacts, value: Value) -> Value:
    """The value, with `CLOCK` in the place of all that changes once a second or more seldom."""
    if _is_clock(function, value):
        return CLOCK
    if not value.arguments:
        return value
    return value._replace(arguments=tuple(seconds_apart(function, item) for item in value.arguments))


def _is_clock(function: FunctionFacts, value: Value) -> bool:
    place = value.place
    if value.shape is Shape.PLACE and place is not None and not place.attributes and place.root in function.bound:
        given = [item for event in binds(function, place.root) for item in event.values]
        return bool(given) and all(_is_read_off(item) for item in given)
    return _is_read_off(value)


def _is_read_off(value: Value) -> bool:
    """True for `int(time.time())` and `time.strftime(...)`; what a date is formatted with may tell more of it."""
    if value.shape is not Shape.CALL:
        return False
    if value.name in {"int", "str", "round"} and value.arguments:
        inner = value.arguments[0]
        whole = value.name != "str" and inner.shape is Shape.CALL and str(inner.place) in _SECONDS
        return whole or _is_read_off(inner)
    return value.name == "strftime" and str(value.place) == "time.strftime"
