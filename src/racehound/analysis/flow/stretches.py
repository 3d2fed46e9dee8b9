"""What can follow a step of a function: the other branches of the decisions around it cannot."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TypeVar

from racehound.analysis.flow.branches import fork_at
from racehound.source.events import Event, Flow
from racehound.source.facts import FunctionFacts

Item = TypeVar("Item")


def stretches_after(function: FunctionFacts, index: int, end: int) -> Iterator[tuple[int, int]]:
    """Ranges of what may be done after the step, up to `end`; a loop comes back to all of it."""
    events = function.events
    if getattr(events[index], "loop", 0):
        yield index + 1, end
        return
    begin = index + 1
    for at in _forks_around(events, index):
        fork = fork_at(events, at)
        if _is_attempt(function, at):
            continue  # a handler may follow what raises
        stop = next(last for first, last in fork.branches if first <= index < last)
        yield begin, min(stop, end)
        if stop >= end:
            return
        begin = fork.join + 1
    yield begin, end


def between(steps: Sequence[tuple[int, Item]], begin: int, end: int) -> Iterator[Item]:
    """Those in a range, of steps with their indices in order."""
    first = bisect_left(steps, begin, key=itemgetter(0))
    for place in range(first, bisect_left(steps, end, first, key=itemgetter(0))):
        yield steps[place][1]


def are_alternatives(events: list[Event], one: int, other: int) -> bool:
    """True if the two stand in different branches of one decision."""
    first, last = sorted((one, other))
    for at in _forks_around(events, first):
        branches = fork_at(events, at).branches
        begin, stop = next(branch for branch in branches if branch[0] <= first < branch[1])
        if not begin <= last < stop:
            return last < branches[-1][1]
    return False


def _forks_around(events: list[Event], index: int) -> list[int]:
    """The decisions in one of whose branches an event stands, the innermost first."""
    found: list[int] = []
    for at in range(index):
        if events[at] is Flow.FORK:
            found.append(at)
        elif events[at] is Flow.JOIN and found:
            found.pop()
    return found[::-1]


def _is_attempt(function: FunctionFacts, at: int) -> bool:
    """True for the alternatives of a `try`: its body, and what is done about an exception."""
    before = at - 1 if at and function.events[at - 1] is Flow.TRY else at
    return any(attempt.begin in {at, before} for attempt in function.attempts)
