"""Futures whose result is set by a callback of the loop, which cannot ask them first whether they are done."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.futures import FUTURES
from racehound.analysis.meaning.kinds import Kinds
from racehound.source.events import Call, Pause, Place, Shape, Span, Value
from racehound.source.facts import FunctionFacts

SCHEDULERS = frozenset({"call_later", "call_at", "call_soon", "call_soon_threadsafe"})
_SETTERS = frozenset({"set_result", "set_exception"})


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
                if not _is_called_off(function, index):
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


def _wait(function: FunctionFacts, index: int, future: Place) -> Span | None:
    for event in function.events[index + 1 :]:
        if isinstance(event, Pause) and future in {event.value.place, *(x.place for x in event.value.arguments)}:
            return event.span
    return None
