"""Locks that decorators hold while what they decorate runs: `@synchronized(lock)`, `@serialized`."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.meaning.wrappers import stand_ins
from racehound.source.closures import scopes_around
from racehound.source.events import SELF, Acquire, Call, Place, Release, Shape, Value
from racehound.source.facts import FunctionFacts

_BY_NAME = "getattr"


class Around(NamedTuple):
    """A lock, by the name that it has in a function."""

    function: FunctionFacts
    value: Value


def locks_around(kinds: Kinds, function: FunctionFacts) -> Iterator[Around]:
    """Those whose names tell which lock it is: not one that the decorator makes for each function."""
    for place, held in _held(kinds, function):
        yield from _meant(function, place, *held)


def made_for_it(kinds: Kinds, function: FunctionFacts) -> Iterator[Around]:
    """Locks that a decorator makes when it is given the function, and that nothing else has."""
    for _, held in _held(kinds, function):
        if held.value.place is not None and held.value.place.root in scopes_around(held.function)[0].bound:
            yield held


def is_held_by_name(kinds: Kinds, function: FunctionFacts) -> bool:
    """True if a decorator holds `getattr(self, name)` around it, whatever that is."""
    values = (held.value for _, held in _held(kinds, function))
    return any(value.shape is Shape.CALL and value.name == _BY_NAME for value in values)


def _held(kinds: Kinds, function: FunctionFacts) -> Iterator[tuple[Place, Around]]:
    """What each decorator has entered, as the function calls it that runs in place of the decorated one."""
    body = function.module.functions[0]
    for place in function.decorators:
        decorator = kinds.callee(body, place) if _may_be_of_program(function, place) else None
        for stand_in in stand_ins(decorator) if isinstance(decorator, FunctionFacts) else ():
            for value in _held_at_call(stand_in):
                yield place, Around(stand_in, value)


def _may_be_of_program(function: FunctionFacts, place: Place) -> bool:
    return place.root in function.module.definitions or place.root in function.module.imports


def _held_at_call(stand_in: FunctionFacts) -> list[Value]:
    """What it has entered where it calls what a function around it was given."""
    given = {name for scope in scopes_around(stand_in) for name in scope.parameters}
    held: list[Value] = []
    for event in stand_in.events if Acquire in stand_in.holds else ():
        if isinstance(event, Acquire):
            held.append(event.value)
        elif isinstance(event, Release) and event.value in held:
            held.remove(event.value)
        elif isinstance(event, Call) and _is_one_of(event.callee, given):
            return held
    return []


def _is_one_of(callee: Place | None, names: set[str]) -> bool:
    return callee is not None and callee.root in names and not callee.attributes


def _meant(function: FunctionFacts, decorator: Place, stand_in: FunctionFacts, value: Value) -> Iterator[Around]:
    if value.shape is not Shape.PLACE or value.place is None:
        return
    root, attributes = value.place
    inner, *outer = scopes_around(stand_in)
    if root in stand_in.parameters[:1]:
        if function.is_method and attributes:
            yield Around(function, Value(Shape.PLACE, place=Place(SELF, attributes)))
    elif outer and root in outer[-1].parameters:
        yield from _given(function, decorator, outer[-1].parameters.index(root))
    elif root not in inner.bound and root not in inner.parameters:
        yield Around(stand_in, value)


def _given(function: FunctionFacts, decorator: Place, position: int) -> Iterator[Around]:
    for call in function.decorated_by:
        if call.place == decorator and position < len(call.arguments):
            yield Around(function.module.functions[0], call.arguments[position])
