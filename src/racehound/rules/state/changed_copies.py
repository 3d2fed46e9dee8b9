"""Copies of a container that are changed after they were stored for others to go over."""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.published import published
from racehound.rules.rule import operation
from racehound.source.events import Action, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts


def changed_copies(program: Program) -> Iterator[tuple[ClassFacts, tuple[Use, Use]]]:
    """Of each, the loop and the change."""
    for item in program.hierarchy.classes:
        for function in program.hierarchy.functions(item):
            for stored, changed in published(function) if Action.WRITE in function.holds else ():
                yield from _copied(program, item, function, stored, changed)


def _copied(
    program: Program, owner: ClassFacts, function: FunctionFacts, stored: int, changed: int
) -> Iterator[tuple[ClassFacts, tuple[Use, Use]]]:
    """A copy that is changed, under a lock, after it was stored: who goes over it holds no lock."""
    event = function.events[stored]
    place = event.place if isinstance(event, Touch) else Place("")
    change = operation(program, function, changed, Action.RESIZE, place)
    for other in program.hierarchy.effective(owner) if change.locks else ():
        for index, touch in enumerate(other.events):
            if isinstance(touch, Touch) and touch.action is Action.ITERATE and touch.place == place:
                loop = operation(program, other, index, Action.ITERATE, place)
                if other is not function and not loop.locks & change.locks:
                    yield owner, (loop, change)
                    return
