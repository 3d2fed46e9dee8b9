"""Locks that are made when they are first needed, with nothing that keeps two from making one each."""

from racehound.analysis.locking.locks import THREAD_LOCKS
from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.program import Program
from racehound.source.events import SELF, Action, Decision, Shape, Touch
from racehound.source.facts import FunctionFacts

_MISSING = frozenset({"AttributeError", "NameError"})


def is_made_late(program: Program, function: FunctionFacts, index: int, touch: Touch) -> bool:
    """True for `self._lock = Lock()` behind a look whether there is one, with no lock held."""
    if function.is_async:
        return False  # between two awaits a task is alone
    if touch.action is not Action.WRITE or len(touch.values) != 1 or touch.values[0].shape is not Shape.CALL:
        return False
    place, made = touch.place, touch.values[0].place
    is_field = place.root == SELF and len(place.attributes) == 1
    if not is_field and (place.attributes or place.root not in function.shared_names):
        return False
    if made is None or program.kinds.callee(function, made) not in THREAD_LOCKS:
        return False
    if not _is_looked_for(function, index, touch) or program.locksets.at(function, index):
        return False
    return not _is_of_making(program, function)


def _is_looked_for(function: FunctionFacts, index: int, touch: Touch) -> bool:
    before = function.events[:index]
    looks = {
        at
        for at, event in enumerate(before)
        if isinstance(event, Touch) and event.place == touch.place and event.action is not Action.WRITE
    }
    if any(isinstance(event, Decision) and not looks.isdisjoint(event.sources) for event in before):
        return True
    return any(
        attempt.begin <= at < attempt.end and caught.events[0] <= index < caught.events[1]
        for at in looks
        for attempt in function.attempts
        for caught in attempt.handlers
        if _MISSING & set(caught.names)
    )


def _is_of_making(program: Program, function: FunctionFacts) -> bool:
    """True while the object belongs to the one who makes it."""
    if is_constructor(function):
        return True
    callers = program.locksets.callers(function.owner).get(function) if function.owner is not None else None
    return bool(callers) and all(is_constructor(caller) for caller, _ in callers or ())
