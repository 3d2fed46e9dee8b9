"""Whether two tasks can be in one coroutine of an object at the same time."""

from collections.abc import Iterator

from racehound.analysis.awaiting.awaits import LIFECYCLE
from racehound.analysis.meaning.callers import Caller
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.source.events import SELF, Call, Place
from racehound.source.facts import ClassFacts, FunctionFacts

_DEPTH = 4
"""Calls between what others call and what they come to."""


def may_meet_there(program: Program, function: FunctionFacts) -> bool:
    """True if two tasks that are started come there, or one of the object's own beside whoever calls it."""
    if program.tasks.may_overlap(function, function):
        return True
    if not program.tasks.on_shared_self(function):
        return False
    ways = list(_ways_in(program, function))
    started = _all_started(program, ways)
    return any(item.name in started for item in ways) and any(
        is_for_all(item) and item.name not in started for item in ways
    )


def is_run_by_own_task(program: Program, function: FunctionFacts) -> bool:
    """True if the object starts a task that comes there."""
    if not program.tasks.on_shared_self(function):
        return False
    ways = list(_ways_in(program, function))
    started = _all_started(program, ways)
    return any(item.name in started for item in ways)


def _all_started(program: Program, ways: list[FunctionFacts]) -> set[str]:
    owners = {item.owner for item in ways if item.owner is not None}
    return {name for owner in owners for name in _started(program, owner)}


def _started(program: Program, owner: ClassFacts) -> set[str]:
    """Names of the methods that the object runs as tasks of its own."""
    methods = [item for item in program.hierarchy.effective(owner) if Call in item.holds]
    return {start.target.name for item in methods for start in program.coroutines.starts(item)}


def _ways_in(program: Program, function: FunctionFacts) -> Iterator[FunctionFacts]:
    """The function, those of its object that call it, and so on."""
    seen, following = {function}, [function]
    for _ in range(_DEPTH):
        yield from following
        calls = (item for one in following for item in program.callers.of(one))
        callers = {outer_method(item.function) for item in calls if _is_on_itself(item)}
        following = [item for item in callers - seen if item.owner is not None and item.is_async]
        seen.update(following)


def _is_on_itself(caller: Caller) -> bool:
    """True if the object that calls is the one that is called."""
    call = caller.function.events[caller.at]
    return isinstance(call, Call) and call.callee == Place(SELF, (call.method,))


def is_for_all(function: FunctionFacts) -> bool:
    """True for a coroutine that whoever has the object may call, at any time."""
    return not function.name.startswith("_") and LIFECYCLE.fullmatch(function.name) is None
