"""Where a task goes that somebody starts: an attribute, a variable of the module, a collection in one of these."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.program import Program
from racehound.source.events import SELF, Action, Bind, Call, Flow, Place, Shape, Touch
from racehound.source.facts import FunctionFacts

SILENT = frozenset({"cancel", "cancelled", "done", "get_name", "set_name"})
"""What can be asked of a task without hearing of its exception."""
_PUTTING = frozenset({"add", "append", "appendleft", "insert"})


class Kept(NamedTuple):
    place: Place
    call: Call
    """By which the task is started."""
    target: FunctionFacts


def kept_tasks(program: Program, function: FunctionFacts) -> Iterator[Kept]:
    for start in program.coroutines.starts(function):
        for index in range(start.at, len(function.events)):
            event = function.events[index]
            if not isinstance(event, Call) or not is_inside(start.call.span, event.span):
                continue
            kind = program.coroutines.kind_of_start(function, event)
            place = _kept_at(program, function, index, event) if kind == "task" else None
            if place is not None:
                yield Kept(place, event, start.target)
            if kind is not None:
                break


def _kept_at(program: Program, function: FunctionFacts, index: int, call: Call) -> Place | None:
    wrapper = program.calls.target(function, call)
    if wrapper is not None and wrapper.calls_of("add_done_callback"):
        return None
    if wrapper is None or index not in function.discarded:
        return _place_of(function, index)
    if not _is_of_the_same(function, wrapper, call):
        return None
    inner = (
        at
        for at, event in enumerate(wrapper.events)
        if isinstance(event, Call) and program.coroutines.kind_of_start(wrapper, event) == "task"
    )
    return next((place for at in inner if (place := _place_of(wrapper, at)) is not None), None)


def _is_of_the_same(function: FunctionFacts, wrapper: FunctionFacts, call: Call) -> bool:
    """True if what the wrapper calls its own is that of the one who calls it."""
    on_self = call.callee is not None and call.callee == Place(SELF, (call.method,))
    return on_self if wrapper.is_method else wrapper.module is function.module


def _place_of(function: FunctionFacts, index: int) -> Place | None:
    call = function.events[index]
    match function.events[index + 1 : index + 3]:
        case [Touch() as store, *_] if _is_store(function, store):
            return store.place
        case [Flow.LOOP, Touch(values=(value,)) as store] if value.shape is Shape.CONTAINER:
            return store.place if _is_store(function, store) else None
        case [Call() as put, *_] if isinstance(call, Call) and is_inside(call.span, put.span):
            return _collection(function, put)
        case [Bind(name=name), *_]:
            return _stored_by_name(function, name)
    return None


def _stored_by_name(function: FunctionFacts, name: str) -> Place | None:
    """Where the only one goes that has the name, if nothing else is done with it but what is silent."""
    local = Place(name)
    stores = [place for event in function.events if (place := _goes_to(function, event, local)) is not None]
    silent = sum(
        isinstance(event, Call) and event.callee in {Place(name, (word,)) for word in SILENT}
        for event in function.events
    )
    alone = len(stores) == 1 and function.loads.get(name, 0) == 1 + silent
    return stores[0] if alone else None


def _goes_to(function: FunctionFacts, event: object, local: Place) -> Place | None:
    if isinstance(event, Call) and any(value.place == local for value in event.arguments):
        return _collection(function, event)
    if isinstance(event, Touch) and any(value.place == local for value in event.values):
        return event.place if _is_store(function, event) else None
    return None


def _collection(function: FunctionFacts, put: Call) -> Place | None:
    place = put.receiver.place if put.receiver is not None and put.method in _PUTTING else None
    return place if place is not None and _is_lasting(function, place) else None


def _is_store(function: FunctionFacts, touch: Touch) -> bool:
    return touch.action in {Action.WRITE, Action.WRITE_ITEM} and _is_lasting(function, touch.place)


def _is_lasting(function: FunctionFacts, place: Place) -> bool:
    if place.root == SELF:
        return len(place.attributes) == 1
    known = place.root in function.module.variables and place.root not in function.bound
    return known and not place.attributes
