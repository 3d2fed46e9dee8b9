"""Copies that are changed after they were stored where others find them: the copy protects nobody any more.

Who changes a container by making a copy and storing it lets others go over the old one without a lock. Once the
copy is stored it must be left alone; a loop that stores it in every round and changes it in the next one does not.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from racehound.analysis.flow.branches import fork_at
from racehound.source.events import SELF, Action, Bind, Call, Event, Flow, Shape, Touch
from racehound.source.facts import FunctionFacts

_COPIES = frozenset({"copy", "deepcopy", "dict", "set"})
_RESIZES = frozenset({"add", "clear", "discard", "pop", "popitem", "remove", "update"})


class Published(NamedTuple):
    stored: int
    """Index of the touch that stores the copy."""
    changed: int
    """Index of the call that changes it afterwards."""


def published(function: FunctionFacts) -> Iterator[Published]:
    """Each copy that the function stores, with the first change that can come after that."""
    events = function.events
    for index, event in enumerate(events):
        name = _stored_copy(function, event)
        if name is not None:
            begin, end = _loop_around(events, index)
            again = any(isinstance(item, Bind) and item.name == name for item in events[begin:end])
            later = range(index + 1, end) if again else (*range(index + 1, len(events)), *range(begin, index))
            found = next((at for at in later if _changes(events[at], name)), None)
            if found is not None:
                yield Published(index, found)


def _stored_copy(function: FunctionFacts, event: Event) -> str | None:
    """The variable that holds a copy and is stored whole in a field."""
    if not isinstance(event, Touch) or event.action is not Action.WRITE or event.place.root != SELF:
        return None
    values = event.values
    place = values[0].place if len(values) == 1 and values[0].shape is Shape.PLACE else None
    if place is None or place.attributes or place.root not in function.bound:
        return None
    made = function.bindings.get(place.root, [])
    copied = bool(made) and all(value.shape is Shape.CALL and value.name in _COPIES for value in made)
    return place.root if copied else None


def _loop_around(events: Sequence[Event], index: int) -> tuple[int, int]:
    """The innermost loop around an event, as a half-open range; an empty one where there is none."""
    for at in range(index - 1, 0, -1):
        if events[at] is Flow.LOOP and events[at - 1] is Flow.FORK:
            join = fork_at(events, at - 1).join
            if index < join:
                return at, join
    return index, index


def _changes(event: Event, name: str) -> bool:
    if not isinstance(event, Call) or event.method not in _RESIZES or event.receiver is None:
        return False
    place = event.receiver.place
    return place is not None and place.root == name and not place.attributes
