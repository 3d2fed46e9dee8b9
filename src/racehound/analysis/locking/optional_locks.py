"""`if lock: self.lock.acquire()`: a lock that the caller may switch off, who holds it already or is alone.

What lies between the taking and the giving back that depend on one name is a section of the lock.
"""

from collections.abc import Iterator

from racehound.source.events import Acquire, Call, Decision, Event, Flow, Release, Touch, Value
from racehound.source.facts import FunctionFacts


def optional_takings(function: FunctionFacts) -> dict[int, Value]:
    """By the index of the join that follows: the lock, where it is given back in the same manner."""
    if Acquire not in function.holds or Release not in function.holds:
        return {}
    taken = dict(_alone_in_branch(function.events, Acquire))
    given = dict(_alone_in_branch(function.events, Release)) if taken else {}
    return {
        at: value
        for at, value in taken.items()
        if any(later > at and other == value for later, other in given.items())
    }


def _alone_in_branch(events: list[Event], kind: type[Acquire] | type[Release]) -> Iterator[tuple[int, Value]]:
    for index, event in enumerate(events):
        if isinstance(event, kind) and events[index + 1 : index + 3] == [Flow.ALTERNATIVE, Flow.JOIN]:
            fork = _before(events, index)
            if events[fork] is Flow.FORK and not (fork and isinstance(events[fork - 1], Decision)):
                yield index + 2, event.value


def _before(events: list[Event], index: int) -> int:
    """The event before `self.lock.acquire()`, which reads the field and calls first."""
    span, at = getattr(events[index], "span", None), index - 1
    while at > 0 and isinstance(events[at], Touch | Call) and getattr(events[at], "span", None) == span:
        at -= 1
    return at
