"""Locks between tasks that nobody holds while another task runs: whoever comes for one gets it without a wait.

Tasks switch at their awaits only. If a lock is given back before each of them, or by a wait for its own condition,
it is free whenever somebody comes for it, and `async with` runs straight through.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.source.events import Acquire, Call, Pause
from racehound.source.facts import FunctionFacts

_OWN_WAITS = frozenset({"wait", "wait_for"})


def is_free_at_switches(program: Program, function: FunctionFacts, lock: int) -> bool:
    """Asked of all that the module of the function does with the lock."""
    takers = [
        (other, acquire)
        for other in function.module.functions
        if Acquire in other.holds
        for acquire in _taken(program, other, lock)
    ]
    return all(acquire.is_async and not any(_waits(program, other, lock)) for other, acquire in takers)


def is_passed_at_once(program: Program, function: FunctionFacts, index: int) -> bool:
    """True for the pause of an `async with` for such a lock."""
    entered = function.events[index + 1] if index + 1 < len(function.events) else None
    if not isinstance(entered, Acquire) or not entered.is_async:
        return False
    lock = program.locksets.taken(function, entered.value)
    return bool(lock) and is_free_at_switches(program, function, lock)


def _taken(program: Program, function: FunctionFacts, lock: int) -> Iterator[Acquire]:
    for event in function.events:
        if isinstance(event, Acquire) and program.locksets.taken(function, event.value) & lock:
            yield event


def _waits(program: Program, function: FunctionFacts, lock: int) -> Iterator[Pause]:
    """Where others may run while the function holds the lock."""
    for index, event in enumerate(function.events):
        if isinstance(event, Pause) and program.locksets.at(function, index) & lock:
            before = function.events[index - 1] if index else None
            if not isinstance(before, Call) or not _gives_it_back(program, function, before, lock):
                yield event


def _gives_it_back(program: Program, function: FunctionFacts, call: Call, lock: int) -> bool:
    """True for `condition.wait()` on the lock itself."""
    if call.method not in _OWN_WAITS or call.receiver is None:
        return False
    return bool(program.locksets.taken(function, call.receiver) & lock)
