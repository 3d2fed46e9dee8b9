"""Which changes of a container break a loop over it."""

import re

from racehound.analysis.meaning.kinds import Kind
from racehound.analysis.state.discipline import is_disturbed, runs_once
from racehound.analysis.state.fields import Use
from racehound.analysis.state.keys import lies_below_entry
from racehound.source.events import ITEM, Action, Place, Touch

LISTS = frozenset(
    {"list", "List", "typing.List", "bytearray", "MutableSequence", "collections.abc.MutableSequence"}
)
"""These do not raise when they change size in a loop."""
_FILLING = "collections.defaultdict"


def breaks(loop: Use, other: Use, kinds: frozenset[Kind]) -> bool:
    if not is_disturbed(loop, other) or loop.locks & other.locks:
        return False
    if other.touch.method == ITEM and _FILLING not in kinds:
        return False  # what lies below an entry changes, and the entry is there
    of_entry = other.touch.action in {Action.WRITE_ITEM, Action.DELETE}
    if of_entry and _FILLING not in kinds and lies_below_entry(other.touch.key):
        return False
    if other.touch.action is Action.WRITE_ITEM and _FILLING not in kinds and is_read_before(other):
        return False
    if runs_once(other.function):
        return False
    return _is_same_depth(other.touch.place, loop.touch.place)


def _is_same_depth(one: Place, other: Place) -> bool:
    """Also for `state.table` and what its own module calls `table`."""
    return len(one.attributes) == len(other.attributes) or _last(one) == _last(other)


def _last(place: Place) -> str:
    return place.attributes[-1] if place.attributes else place.root


def is_read_before(write: Use) -> bool:
    """True for `if states[job] == RUNNING: states[job] = DONE`: the key is there, or the look has raised."""
    return any(
        isinstance(event, Touch)
        and event.place == write.touch.place
        and event.key == write.touch.key
        and event.action in {Action.READ, Action.CHECK}
        and not event.method
        and _is_subscript(event)
        for event in write.function.events[: write.index]
    )


def _is_subscript(look: Touch) -> bool:
    """False for `key in states`, which says nothing of the kind; told by how long it is."""
    line, column, end_line, end_column = look.span
    return line == end_line and end_column - column == len(f"{look.place}{look.key}")


def is_for_one_entry(change: Use) -> bool:
    """True for `connect(name)` that stores under `name`: it begins an entry, not the life of the object."""
    key = change.touch.key or ""
    return any(name in _WORD.findall(key) for name in change.function.parameters[change.function.is_method :])


_WORD = re.compile(r"\w+")
