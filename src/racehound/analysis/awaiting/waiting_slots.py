"""Fields with room for one who waits: a coroutine puts a future there that it has made, and waits for it."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.branches import dependent
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import Kinds
from racehound.source.events import SELF, Action, Call, Decision, Event, Flow, Pause, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

MAKERS = frozenset({"create_future", "Future", "Event"})
"""Last names of what makes something to wait for."""
_WAITED = frozenset({"asyncio.Future", "asyncio.futures.Future", "asyncio.Event", "asyncio.locks.Event"})
_COMPLETING = ("set_result", "set_exception", "set")
_LIMITS = frozenset({"wait_for", "timeout", "shield"})


class WaitingSlot(NamedTuple):
    field: str
    function: FunctionFacts
    stored: int
    """Index of the touch that puts it into the field, whatever was there before."""
    wait: int
    """Index of the await."""
    completer: FunctionFacts
    completion: Call
    is_asserted: bool
    """The function says that nobody waits there."""


def waiting_slots(owner: ClassFacts, hierarchy: Hierarchy, kinds: Kinds) -> Iterator[WaitingSlot]:
    for function in owner.methods.values():
        if function.is_async and Pause in function.holds:
            for stored, touch in _stores(function, kinds):
                wait = _wait(function, stored, touch)
                if wait is not None and not _is_looked_at(function, touch.place, stored):
                    completed = next(_completions(hierarchy, owner, function, touch.place), None)
                    if completed is not None:
                        asserted = any(_reads(event, touch.place) for event in function.events[:stored])
                        yield WaitingSlot(touch.place.attributes[0], function, stored, wait, *completed, asserted)


def _stores(function: FunctionFacts, kinds: Kinds) -> Iterator[tuple[int, Touch]]:
    for index, event in enumerate(function.events):
        if type(event) is Touch and event.action is Action.WRITE:
            is_field = event.place.root == SELF and len(event.place.attributes) == 1
            if is_field and any(_is_made(function, item, kinds) for item in event.values):
                yield index, event


def _is_made(function: FunctionFacts, value: Value, kinds: Kinds) -> bool:
    """True if the function itself makes it."""
    if value.shape is Shape.PLACE and value.place is not None and not value.place.attributes:
        bound = function.bindings.get(value.place.root, ())
        return any(item.shape is Shape.CALL and _is_made(function, item, kinds) for item in bound)
    return (
        value.shape is Shape.CALL and value.name in MAKERS and not _WAITED.isdisjoint(kinds.value(function, value))
    )


def _wait(function: FunctionFacts, stored: int, touch: Touch) -> int | None:
    """The first await behind the store, if that is what is waited for."""
    names = {touch.place, *(value.place for value in touch.values if value.shape is Shape.PLACE)}
    names |= {Place(name) for name, values in function.bindings.items() if set(values) & set(touch.values)}
    for index in range(stored + 1, len(function.events)):
        event = function.events[index]
        if type(event) is Pause and not event.yields and any(_awaits(event.value, name) for name in names if name):
            return index
    return None


def _awaits(value: Value, place: Place) -> bool:
    if value.shape is Shape.PLACE:
        return value.place == place
    if value.name == "wait":
        return value.place == Place(place.root, (*place.attributes, "wait"))
    return value.name in _LIMITS and any(_awaits(item, place) for item in value.arguments[:1])


def _is_looked_at(function: FunctionFacts, place: Place, stored: int) -> bool:
    """True if what is there already decides about the store; an `assert` only says what must be so."""
    events = function.events
    seen = {index for index, event in enumerate(events[:stored]) if _reads(event, place)}
    return any(
        isinstance(event, Decision) and not seen.isdisjoint(event.sources) and _decides(events, index, stored)
        for index, event in enumerate(events)
    )


def _decides(events: list[Event], decision: int, stored: int) -> bool:
    """A loop that goes on while somebody waits decides about what comes behind it."""
    if events[decision + 1] is not Flow.FORK:
        return True
    return any(begin <= stored < end for begin, end in dependent(events, decision))


def _reads(event: Event, place: Place) -> bool:
    if type(event) is Call and event.callee is not None:
        return event.callee[0] == place.root and event.callee[1][:1] == place.attributes
    return type(event) is Touch and event.place[0] == place.root and event.place[1][:1] == place.attributes


def _completions(
    hierarchy: Hierarchy, owner: ClassFacts, function: FunctionFacts, place: Place
) -> Iterator[tuple[FunctionFacts, Call]]:
    """Where other functions complete what the field holds, by the field or by a name that they give it."""
    for other in hierarchy.effective(owner):
        if other is function:
            continue
        names = {place, *(Place(name) for name, values in other.bindings.items() if _is_field(values, place))}
        for method in _COMPLETING:
            for _, call in other.calls_of(method):
                if call.receiver is not None and call.receiver.place in names:
                    yield other, call


def _is_field(values: list[Value], place: Place) -> bool:
    return any(value.shape is Shape.PLACE and value.place == place for value in values)
