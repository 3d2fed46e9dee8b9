"""Derived classes that close what they have, wait for that, and only then let the base class note the end."""

from collections.abc import Iterator

from racehound.analysis.awaiting.cleared import is_tear_down
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.closed_first import ClosedFirst, closes, is_flag_of_end, works_with
from racehound.analysis.state.fields import Use
from racehound.source.events import SELF, Action, Call, Event, Place, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

_DEPTH = 2
"""Calls from the method of the base class to the one that sets the flag."""


def closed_by_base(program: Program, owner: ClassFacts) -> Iterator[ClosedFirst]:
    """Each resource that is closed, with an await, before `super().close()`."""
    for function in owner.methods.values():
        closed = list(closes(function)) if function.is_async and is_tear_down(function) else []
        for at, call in _to_base(function) if closed else ():
            noted = _noted(program, owner, call.method)
            for resource, close in closed if noted else ():
                paths = program.awaits.paths(function)
                waits = paths.reaches(close, at) and paths.pause_between(close, at) is not None
                if waits and not any(_notes_itself(event) for event in function.events[:close]):
                    yield from _met(program, owner, (function, at, call), (resource, close), noted)


def _notes_itself(event: Event) -> bool:
    """True if the derived class has a word of its own for it."""
    return isinstance(event, Touch) and event.action is Action.WRITE and event.place.root == SELF


def _to_base(function: FunctionFacts) -> Iterator[tuple[int, Call]]:
    for at, call in function.calls_of(function.name):
        if call.receiver is not None and call.receiver.name == "super":
            yield at, call


def _noted(program: Program, owner: ClassFacts, name: str) -> dict[str, Touch]:
    """Flags of an end that the method of the base class sets, or methods of the object that it calls."""
    bases = list(program.hierarchy.linear(owner))[1:]
    base = next((item.methods[name] for item in bases if name in item.methods), None)
    setters = {base} if base is not None else set()
    for _ in range(_DEPTH):
        setters |= {found for item in setters for found in _own_calls(program, owner, item)}
    touches = (event for item in setters for event in item.events if isinstance(event, Touch))
    return {touch.place.attributes[0]: touch for touch in touches if _is_flag_set(touch)}


def _own_calls(program: Program, owner: ClassFacts, function: FunctionFacts) -> Iterator[FunctionFacts]:
    for event in function.events:
        if isinstance(event, Call) and event.callee == Place(SELF, (event.method,)):
            for item in program.hierarchy.linear(owner):
                if event.method in item.methods:
                    yield item.methods[event.method]


def _is_flag_set(touch: Touch) -> bool:
    root, attributes = touch.place
    if touch.action is not Action.WRITE or root != SELF or len(attributes) != 1 or not touch.values:
        return False
    constant = all(value.shape is Shape.CONSTANT and value.name in {"True", "False"} for value in touch.values)
    return constant and is_flag_of_end(attributes[0])


def _met(
    program: Program,
    owner: ClassFacts,
    noting: tuple[FunctionFacts, int, Call],
    closed: tuple[str, int],
    noted: dict[str, Touch],
) -> Iterator[ClosedFirst]:
    """Where a coroutine works with the resource that is closed, and somebody looks at the flag."""
    function, at, call = noting
    resource, close = closed
    working = [
        index
        for item in program.hierarchy.effective(owner)
        if item.is_async and not is_tear_down(outer_method(item))
        for index in works_with(item, resource)
    ]
    held = program.locksets.at(function, at)
    for field, touch in noted.items() if working else ():
        for look in program.fields.of_class(owner).get(field, ()):
            if look.touch.action is Action.CHECK and not is_tear_down(outer_method(look.function)):
                seen = touch._replace(span=call.span)
                store = Use(function=function, index=at, touch=seen, locks=held, changes=True)
                yield ClosedFirst(resource, close, store, look, working[0])
                return
