"""Locks that one function takes and another gives back: work that it hands on, whoever is done with a place."""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.source.events import Acquire, Call, Release
from racehound.source.facts import FunctionFacts

_SEMAPHORES = frozenset(
    f"{module}.{name}" for module in ("threading", "asyncio") for name in ("Semaphore", "BoundedSemaphore")
)


def is_given_back_by_others(program: Program, function: FunctionFacts, acquired: int) -> bool:
    """True if a function inside of this one releases it, or a method that has not taken the place in a semaphore.

    A plain lock is given back by whoever has taken it, as a rule; that its class has a method for it says little.
    """
    taken = function.events[acquired]
    if not isinstance(taken, Acquire) or taken.value.place is None:
        return False
    lock = program.locksets.taken(function, taken.value)
    if any(_releases(program, item, lock) for item in function.module.functions if _is_inside(item, function)):
        return True
    if function.owner is None or not program.kinds.place(function, taken.value.place) & _SEMAPHORES:
        return False
    others = (item for item in program.hierarchy.effective(function.owner) if item is not function)
    return any(_releases(program, item, lock) for item in others)


def is_a_signal(program: Program, function: FunctionFacts, lock: int) -> bool:
    """True for a lock that another function, which has not taken it, gives back if it is `locked()`."""
    others = (item for item in function.module.functions if item is not function and item.owner is function.owner)
    return any(_asks(program, item, lock) and _releases(program, item, lock) for item in others)


def _asks(program: Program, function: FunctionFacts, lock: int) -> bool:
    asked = (call.receiver for _, call in function.calls_of("locked") if call.receiver is not None)
    return any(program.locksets.taken(function, receiver) & lock for receiver in asked)


def _is_inside(function: FunctionFacts, outer: FunctionFacts) -> bool:
    return function.parent is outer


def _releases(program: Program, function: FunctionFacts, lock: int) -> bool:
    """By hand, and without having taken it."""
    events = list(_of_lock(program, function, lock)) if Release in function.holds else []
    return bool(events) and events[0]


def _of_lock(program: Program, function: FunctionFacts, lock: int) -> Iterator[bool]:
    """Its takings and, as True, its releases by hand, in order."""
    for index, event in enumerate(function.events):
        if isinstance(event, Acquire | Release) and program.locksets.taken(function, event.value) & lock:
            by_hand = index > 0 and isinstance(function.events[index - 1], Call)
            yield isinstance(event, Release) and by_hand
