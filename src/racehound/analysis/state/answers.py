"""Fields that others decide by: a method gives out what it makes of one, and its caller goes by the answer."""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.source.events import Decision, Exit, Place
from racehound.source.facts import ClassFacts, FunctionFacts


def is_decided_by_answer(program: Program, owner: ClassFacts, uses: list[Use]) -> bool:
    """True for `if budget.left() <= 0: return`, where `left` is what remains of the field."""
    telling = dict.fromkeys(use.function for use in uses if not use.changes and _gives_out(use))
    return any(_decides(caller, at) for item in telling for caller, at in _asked(program, owner, item))


def _gives_out(use: Use) -> bool:
    exits = (event for event in use.function.events if isinstance(event, Exit) and event.kind == "return")
    return use.function.is_method and any(use.index in event.sources for event in exits)


def _asked(program: Program, owner: ClassFacts, method: FunctionFacts) -> Iterator[tuple[FunctionFacts, int]]:
    for caller in program.callers.named(method.name):
        if caller.target is method or (
            caller.target is None and _may_be_of(program, owner, caller.function, caller.at)
        ):
            yield caller.function, caller.at


def _may_be_of(program: Program, owner: ClassFacts, caller: FunctionFacts, at: int) -> bool:
    """True for a call on what a constructor was given, where objects of the class are given to it."""
    place = getattr(caller.events[at], "callee", None)
    if place is None or not place.attributes:
        return False
    return owner in program.kinds.holders(caller, Place(place.root, place.attributes[:-1]))


def _decides(caller: FunctionFacts, at: int) -> bool:
    return any(isinstance(event, Decision) and at in event.sources for event in caller.events)
