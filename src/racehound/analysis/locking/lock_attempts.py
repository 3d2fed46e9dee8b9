"""`acquire` that may be refused: what is done with its answer."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.branches import fork_at
from racehound.source.events import (
    CHANGES,
    Acquire,
    Bind,
    Call,
    Decision,
    Event,
    Flow,
    Place,
    Release,
    Shape,
    Span,
    Touch,
    Value,
)
from racehound.source.facts import FunctionFacts


class LockAttempt(NamedTuple):
    """`if lock.acquire(timeout=1):`, with the way on which the lock was not to be had."""

    span: Span
    refused: range


class Unheeded(NamedTuple):
    """An attempt nobody asks the outcome of, and the release that counts on it."""

    lock: Place
    acquired: int
    released: int


def attempts(function: FunctionFacts) -> dict[int, LockAttempt]:
    """By the index of the taking: those that are themselves the test of an `if`."""
    found: dict[int, LockAttempt] = {}
    events = function.events
    for index, event in enumerate(events) if Acquire in function.holds else ():
        if isinstance(event, Acquire) and _is_tested(events, index):
            for begin, end in fork_at(events, index + 2).branches:
                first = events[begin]
                if isinstance(first, Release) and first.span == event.span:
                    found[index] = LockAttempt(event.span, range(begin, end))
    return found


def _is_tested(events: list[Event], index: int) -> bool:
    following = events[index + 1 : index + 3]
    return len(following) == 2 and isinstance(following[0], Decision) and following[1] is Flow.FORK


def unheeded(function: FunctionFacts) -> Iterator[Unheeded]:
    """Attempts whose answer is thrown away, where something is done before the lock is given back."""
    events = function.events
    for index, event in enumerate(events) if Acquire in function.holds else ():
        call = events[index - 1] if index else None
        place = event.value.place if isinstance(event, Acquire) else None
        if place is None or not isinstance(call, Call) or not _may_be_refused(call):
            continue
        if index in function.discarded or _is_forgotten(function, index + 1):
            released = _released(events, index, place)
            if released is not None:
                yield Unheeded(place, index, released)


def _is_forgotten(function: FunctionFacts, index: int) -> bool:
    """True for `got = lock.acquire(timeout=1)` where nobody looks at `got`."""
    bound = function.events[index] if index < len(function.events) else None
    return isinstance(bound, Bind) and not function.loads.get(bound.name)


def _released(events: list[Event], start: int, lock: Place) -> int | None:
    """Where the lock is given back; to take it if it is free and free it at once is a way to open it for sure."""
    busy = False
    for index in range(start + 1, len(events)):
        event = events[index]
        if isinstance(event, Release) and event.value.place == lock:
            return index if busy else None
        busy = busy or _does_something(event)
    return None


def _does_something(event: Event) -> bool:
    if isinstance(event, Call):
        return event.method != "release"
    return isinstance(event, Touch) and event.action in CHANGES


def _may_be_refused(call: Call) -> bool:
    """True for `acquire(False)`, and for one that waits for so long and no longer."""
    if call.method != "acquire":
        return False
    words = dict(call.keywords)
    blocking = call.arguments[0] if call.arguments else words.get("blocking")
    timeout = call.arguments[1] if len(call.arguments) > 1 else words.get("timeout")
    return _is_false(blocking) or (timeout is not None and _is_limit(timeout))


def asks_only(function: FunctionFacts, acquire: Acquire) -> bool:
    """True for a taking that never waits: `lock.acquire(blocking=False)`."""
    return any(
        call.span == acquire.span
        and _is_false(call.arguments[0] if call.arguments else dict(call.keywords).get("blocking"))
        for _, call in function.calls_of("acquire")
    )


def _is_limit(value: Value) -> bool:
    """True for a number, and for one that is kept somewhere; what the caller gives may be -1: no limit."""
    if value.shape is Shape.PLACE and value.place is not None:
        return bool(value.place.attributes) or value.place.root.isupper()
    return value.shape is Shape.CONSTANT and value.name != "None"


def _is_false(value: Value | None) -> bool:
    return value is not None and value.shape is Shape.CONSTANT and value.name in {"False", "0"}
