"""Tasks and futures in a local collection that a function counts, or looks over, and never asks for an outcome."""

from itertools import dropwhile
from typing import TypeGuard

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.source.events import EACH, LOOPED, Bind, Call, Event, Flow, Place, Shape
from racehound.source.facts import FunctionFacts

_PUTTING = frozenset({"add", "append"})
_OF_COLLECTION = _PUTTING | {"values"}
_OF_ITEM = frozenset({"done", "running", "cancelled", "get_name", "set_name"})
_COUNTING = frozenset({"len", "bool"})


def is_never_asked(function: FunctionFacts, index: int) -> bool:
    """True if what a call gives goes into a local collection, and nobody takes an outcome out of it again."""
    name = _collection_of(function, index)
    return name is not None and _stays_here(function, name) and _is_only_counted(function, name)


def is_only_asked_for_its_end(function: FunctionFacts, index: int) -> bool:
    """True if what a call gives has a name of its own, and is asked for no more than whether it is done."""
    following = function.events[index + 1] if index + 1 < len(function.events) else None
    if not isinstance(following, Bind) or len(following.values) != 1 or following.name.startswith("_"):
        return False
    return _stays_here(function, following.name) and _is_only_looked_at(function, following.name)


def _stays_here(function: FunctionFacts, name: str) -> bool:
    nested = (item for item in function.module.functions if item.parent is function)
    is_local = name in function.bound and name not in function.shared_names
    return is_local and not any(item.loads.get(name) for item in nested)


def _is_only_counted(function: FunctionFacts, name: str) -> bool:
    items = {event.name for event in function.events if _takes_item(event, name)}
    if not all(_is_only_looked_at(function, item) for item in items):
        return False
    return function.loads.get(name, 0) == sum(_is_harmless(event, name) for event in function.events)


def _collection_of(function: FunctionFacts, index: int) -> str | None:
    call = function.events[index]
    following = next(dropwhile(lambda event: event is Flow.LOOP, function.events[index + 1 :]), None)
    match following:
        case Bind(name=name, values=(value,)) if value.shape is Shape.CONTAINER:
            return name
        case Call(method=method, receiver=receiver, span=span) if method in _PUTTING and receiver is not None:
            place = receiver.place
            inside = isinstance(call, Call) and is_inside(call.span, span)
            return place.root if inside and place is not None and not place.attributes else None
    return None


def _is_harmless(event: Event, name: str) -> bool:
    """True where the collection is named and no outcome is taken out of it."""
    if isinstance(event, Call):
        counts = event.method in _COUNTING and any(value.place == Place(name) for value in event.arguments[:1])
        return counts or event.callee in {Place(name, (method,)) for method in _OF_COLLECTION}
    return _takes_item(event, name) and event.values[0].name == EACH


def _takes_item(event: Event, name: str) -> TypeGuard[Bind]:
    """True for the variable of a loop over the collection, or over its `values()`."""
    if not isinstance(event, Bind) or not event.values or event.values[0].name not in LOOPED:
        return False
    return any(value.place == Place(name) for value in event.values[0].arguments)


def _is_only_looked_at(function: FunctionFacts, item: str) -> bool:
    looks = {Place(item, (method,)) for method in _OF_ITEM}
    asked = sum(isinstance(event, Call) and event.callee in looks for event in function.events)
    return item not in function.shared_names and function.loads.get(item, 0) == asked
