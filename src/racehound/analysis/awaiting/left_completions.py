"""Futures whose result is set by a callback of the loop, which cannot ask them first whether they are done."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.futures import FUTURES
from racehound.analysis.meaning.kinds import Kinds
from racehound.source.events import SELF, Call, Event, Pause, Place, Shape, Span, Touch, Value
from racehound.source.facts import FunctionFacts

SCHEDULERS = frozenset({"call_later", "call_at", "call_soon", "call_soon_threadsafe"})
_SETTERS = frozenset({"set_result", "set_exception"})


_PUTS = frozenset({"add", "append", "appendleft"})


class LeftCompletion(NamedTuple):
    """`loop.call_later(5, future.set_result, None)`."""

    call: Call
    future: Place
    setter: str
    waits: Span | None
    """Where the same function waits for the future, if it does."""


def left_completions(function: FunctionFacts, kinds: Kinds) -> Iterator[LeftCompletion]:
    """Each future once: its result and its error are left to the loop in the same way."""
    seen: set[Place] = set()
    for item in sorted(_all(function, kinds), key=lambda item: item.call.span):
        if item.future not in seen:
            seen.add(item.future)
            yield item


def _all(function: FunctionFacts, kinds: Kinds) -> Iterator[LeftCompletion]:
    for name in SCHEDULERS:
        for index, call in function.calls_of(name):
            for value in call.arguments:
                future = _completed(value)
                if future is None or FUTURES.isdisjoint(kinds.place(function, future)):
                    continue
                if not _is_called_off(function, index) or _has_others(function, future):
                    setter = (value.place or future).attributes[-1]
                    yield LeftCompletion(call, future, setter, _wait(function, index, future))


def _completed(value: Value) -> Place | None:
    """The future whose method is handed over."""
    if value.shape is not Shape.PLACE or value.place is None:
        return None
    root, attributes = value.place
    return Place(root, attributes[:-1]) if attributes and attributes[-1] in _SETTERS else None


def _is_called_off(function: FunctionFacts, index: int) -> bool:
    """True if the function takes the callback back when it no longer waits."""
    return any(at > index for at, _ in function.calls_of("cancel"))


def _has_others(function: FunctionFacts, future: Place) -> bool:
    """True if the function leaves its future where others find it and complete it, just before the loop does."""
    if future.attributes or future.root not in function.bindings:
        return False
    return any(future in [value.place for value in _stored(event)] for event in function.events)


def _stored(event: Event) -> tuple[Value, ...]:
    """What an event puts into the object, or into something that the object has."""
    if isinstance(event, Touch):
        return event.values if event.place.root == SELF else ()
    if isinstance(event, Call) and event.method in _PUTS:
        receiver = None if event.receiver is None else event.receiver.place
        return event.arguments if receiver is not None and receiver.root == SELF else ()
    return ()


def _wait(function: FunctionFacts, index: int, future: Place) -> Span | None:
    for event in function.events[index + 1 :]:
        if isinstance(event, Pause) and future in {event.value.place, *(x.place for x in event.value.arguments)}:
            return event.span
    return None
