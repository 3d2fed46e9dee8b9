"""A lock that one way through a function gives back, and another way takes along for ever.

Where the function comes to its end with the lock, that may be meant: somebody else gives it back. Where nobody
else does, it is not.
"""

from itertools import pairwise

from racehound.analysis.locking.locks import THREAD_LOCKS
from racehound.analysis.meaning.named_values import named_by
from racehound.analysis.program import Program
from racehound.source.events import Acquire, Call, Event, Flow, Release
from racehound.source.facts import FunctionFacts

_RELEASES = frozenset({"release", "__exit__"})


def is_left_on_one_way(program: Program, function: FunctionFacts, acquired: int) -> bool:
    """True if the lock is always taken, given back on one way only, and by nobody else."""
    taken = function.events[acquired]
    if not isinstance(taken, Acquire) or taken.value.place is None or _is_on_some_ways(function.events, acquired):
        return False
    if not program.kinds.place(function, taken.value.place) & THREAD_LOCKS:
        return False
    lock = program.locksets.taken(function, taken.value)
    released = _releases(program, function, lock)
    if len(released) != 1 or not _goes_on(function.events, released[0]):
        return False
    return not _is_released_by_others(program, function, lock)


def _releases(program: Program, function: FunctionFacts, lock: int) -> list[int]:
    return [
        index
        for index, event in enumerate(function.events)
        if isinstance(event, Release) and program.locksets.taken(function, event.value) & lock
    ]


def _is_on_some_ways(events: list[Event], at: int) -> bool:
    return sum((event is Flow.FORK) - (event is Flow.JOIN) for event in events[:at]) > 0


def _goes_on(events: list[Event], released: int) -> bool:
    """True if who has released it comes to the end as well, and not in one of many rounds."""
    if _is_in_loop(events, released):
        return False
    depth = 0
    for event in events[released:]:
        depth += (event is Flow.FORK) - (event is Flow.JOIN)
        if event is Flow.LEAVE and depth == 0:
            return False
        if event in _ENDS and depth <= 0:
            return True
    return True


def _is_in_loop(events: list[Event], at: int) -> bool:
    """The marker of a loop stands where its body begins, right behind the fork, and where it ends."""
    loops = 0
    for before, event in pairwise(events[: at + 1]):
        if event is Flow.LOOP:
            loops += 1 if before is Flow.FORK else -1
    return loops > 0


_ENDS = (Flow.ALTERNATIVE, Flow.JOIN)


def _is_released_by_others(program: Program, function: FunctionFacts, lock: int) -> bool:
    for module in program.modules:
        for other in module.functions:
            if any(_hands_on(event) for event in other.events):
                return True
            if other is not function and Release in other.holds and _is_by_hand(program, other, lock):
                return True
    return False


def _hands_on(event: Event) -> bool:
    """True for `on_done(lock.release)`: who calls it, and when, cannot be seen."""
    return any(place.attributes[-1:] and place.attributes[-1] in _RELEASES for place in named_by(event))


def _is_by_hand(program: Program, function: FunctionFacts, lock: int) -> bool:
    """True for `lock.release()`; the end of a `with` gives back what its beginning has taken."""
    return any(
        isinstance(function.events[index - 1], Call) for index in _releases(program, function, lock) if index
    )
