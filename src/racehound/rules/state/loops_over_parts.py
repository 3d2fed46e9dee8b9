"""Coroutines that go over a container of another object, and wait in each round: `for x in self.world.players`."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.rounds import wait_between_rounds
from racehound.analysis.meaning.kinds import CONTAINERS
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.rules.state.resizing import LISTS, breaks
from racehound.source.events import Action, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

_DEPTH = 2


class OverPart(NamedTuple):
    owner: ClassFacts
    field: str
    loop: Use
    change: Use


def loops_over_parts(program: Program) -> Iterator[OverPart]:
    """Those that a method of the other object breaks which is known to run in a task beside it."""
    for module in program.modules:
        for function in module.functions:
            if function.is_async and Action.ITERATE in function.holds:
                yield from _broken(program, function)


def _broken(program: Program, function: FunctionFacts) -> Iterator[OverPart]:
    for index, event in enumerate(function.events):
        if type(event) is not Touch or event.action is not Action.ITERATE:
            continue
        if len(event.place.attributes) < _DEPTH or wait_between_rounds(function, index) is None:
            continue
        for owner, field in _containers(program, function, event.place):
            loop = Use(function, index, event, program.locksets.at(function, index), changes=False)
            change = _change(program, owner, field, loop)
            if change is not None:
                yield OverPart(owner, field, loop, change)
                return


def _containers(program: Program, function: FunctionFacts, place: Place) -> Iterator[tuple[ClassFacts, str]]:
    field = place.attributes[-1]
    for owner in program.kinds.holders(function, Place(place.root, place.attributes[:-1])):
        if program.fields.kinds(owner, field) & CONTAINERS - LISTS:
            yield owner, field


def _change(program: Program, owner: ClassFacts, field: str, loop: Use) -> Use | None:
    kinds = program.fields.kinds(owner, field)
    near = loop._replace(touch=loop.touch._replace(place=Place(loop.touch.place.root, (field,))))
    for use in program.fields.of_class(owner).get(field, ()):
        meets = use.function.is_method and program.tasks.may_overlap(loop.function, use.function)
        if meets and breaks(near, use, kinds):
            return use
    return None
