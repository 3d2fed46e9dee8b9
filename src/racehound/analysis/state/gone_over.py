"""Loops over a container of another object, without the lock under which its class changes it."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.meaning.kinds import CONTAINERS
from racehound.analysis.program import Program
from racehound.analysis.state.discipline import runs_once
from racehound.analysis.state.fields import Use
from racehound.analysis.testfiles import is_test
from racehound.source.events import SELF, Action, Call, Flow, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

_LISTS = frozenset({"list", "List", "typing.List", "MutableSequence", "collections.abc.MutableSequence"})
"""These do not raise when they change during a loop."""
_VIEWS = frozenset({"items", "keys", "values"})
_RESIZING = frozenset({Action.WRITE_ITEM, Action.DELETE, Action.MUTATE})


class GoneOver(NamedTuple):
    owner: ClassFacts
    place: Place
    """The container, in words of the function."""
    function: FunctionFacts
    at: int
    change: Use
    """Under a lock of the class."""


def gone_over_outside(program: Program) -> Iterator[GoneOver]:
    guarded: dict[str, list[tuple[ClassFacts, Use]]] = {}
    for owner in program.hierarchy.classes:
        for field, change in _guarded(program, owner):
            guarded.setdefault(field, []).append((owner, change))
    for module in program.modules if guarded else ():
        for function in module.functions if not is_test(module) else ():
            if Call in function.holds or Action.ITERATE in function.holds:
                yield from _loops(program, function, guarded)


def _guarded(program: Program, owner: ClassFacts) -> Iterator[tuple[str, Use]]:
    """Containers that can break a loop, each with a change that holds a lock."""
    sharing = program.shared.why(owner)
    if sharing is None or not sharing.locks or is_test(owner.module):
        return
    for field, uses in program.fields.of_class(owner).items():
        kinds = program.fields.kinds(owner, field)
        if not kinds & CONTAINERS - _LISTS or kinds & _LISTS:
            continue
        changes = [use for use in uses if use.touch.action in _RESIZING and use.changes and use.function.owner]
        held = [use for use in changes if use.locks and not runs_once(use.function)]
        if held and len(held) == len(changes):
            yield field, held[0]


def _loops(
    program: Program, function: FunctionFacts, guarded: dict[str, list[tuple[ClassFacts, Use]]]
) -> Iterator[GoneOver]:
    looping = [
        index
        for index, event in enumerate(function.events)
        if (type(event) is Touch and event.action is Action.ITERATE)
        or (type(event) is Call and event.method in _VIEWS)
    ]
    for index in looping:
        place = _gone_over(function, index)
        if place is None or place.attributes[-1] not in guarded or program.locksets.at(function, index):
            continue
        for owner, change in guarded[place.attributes[-1]]:
            if _is_of(program, function, Place(place.root, place.attributes[:-1]), owner):
                yield GoneOver(owner, place, function, index, change)


def _gone_over(function: FunctionFacts, index: int) -> Place | None:
    """What a loop goes over, itself or by a view of it, where that belongs to another object."""
    event = function.events[index]
    place: Place | None = None
    if isinstance(event, Touch) and event.key is None:
        place = event.place
    elif isinstance(event, Call) and not event.arguments and event.callee is not None:
        begins = function.events[index + 1 : index + 3] == [Flow.FORK, Flow.LOOP]
        place = Place(event.callee.root, event.callee.attributes[:-1]) if begins else None
    if place is None or not place.attributes or (place.root == SELF and len(place.attributes) == 1):
        return None
    return place


def _is_of(program: Program, function: FunctionFacts, place: Place, owner: ClassFacts) -> bool:
    """By what is known of the object, or else by its name: `context` is a `Context`."""
    if function.owner is not None and program.hierarchy.are_related(owner, function.owner):
        return False
    kinds = program.kinds.holders(function, place)
    if kinds:
        return any(owner in program.hierarchy.linear(kind) for kind in kinds)
    name = (place.attributes or (place.root,))[-1]
    return name.replace("_", "").lower() == owner.name.replace("_", "").lower() and _is_given(function, place)


def _is_given(function: FunctionFacts, place: Place) -> bool:
    """True for a parameter, which comes from somewhere else; what is made here belongs to this call."""
    return place.root in function.parameters or place.root == SELF
