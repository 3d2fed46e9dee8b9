"""Entries of a table that a coroutine closes, waits, and only then takes out of the table."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.cleared import is_tear_down
from racehound.analysis.awaiting.coroutines import is_awaited
from racehound.analysis.flow.paths import Paths
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.state.fields import Use
from racehound.source.events import Action, Bind, Call, Touch
from racehound.source.facts import FunctionFacts

_CLOSING = frozenset({"close", "aclose", "disconnect", "shutdown", "stop", "terminate", "kill", "wait_closed"})
_GIVING = frozenset({"get", "values", "items"})
_TAKING_OUT = frozenset({"pop", "remove", "discard"})


class ClosedEntry(NamedTuple):
    close: int
    removal: Use
    look: Use
    """Somebody else who may be given the entry meanwhile; one who asks for it before one who goes over all."""


def closed_entries(function: FunctionFacts, paths: Paths, uses: list[Use]) -> Iterator[ClosedEntry]:
    for removal in uses:
        if removal.function is not function or not _takes_out(removal):
            continue
        looks = sorted((use for use in uses if _hands_out(use, removal)), key=lambda use: use.touch.key is None)
        look = looks[0] if looks else None
        for close in _closes(function, removal) if look is not None else ():
            if look is not None and paths.reaches(close, removal.index):
                yield ClosedEntry(close, removal, look)
                break


def _takes_out(use: Use) -> bool:
    touch = use.touch
    taken = touch.action is Action.DELETE or (touch.action is Action.MUTATE and touch.method in _TAKING_OUT)
    return taken and touch.key is not None


def _hands_out(use: Use, removal: Use) -> bool:
    other = outer_method(use.function)
    if use.changes or other is outer_method(removal.function) or is_tear_down(other) or use.locks & removal.locks:
        return False
    touch = use.touch
    if touch.action is Action.READ:
        return not touch.method or touch.method in _GIVING
    return touch.action is Action.ITERATE


def _closes(function: FunctionFacts, removal: Use) -> Iterator[int]:
    """Awaited calls that close the very entry."""
    for name in _CLOSING:
        for index, call in function.calls_of(name):
            if index < removal.index and is_awaited(function, index) and _is_entry(function, index, call, removal):
                yield index


def _is_entry(function: FunctionFacts, index: int, call: Call, removal: Use) -> bool:
    touch, receiver = removal.touch, call.receiver
    if receiver is None or receiver.place is None:
        return index > 0 and _is_same(function.events[index - 1], touch)
    root, attributes = receiver.place
    if attributes or root not in function.bound | set(function.parameters):
        return False
    if touch.key == f"[{root}]":
        return True
    return any(
        isinstance(event, Bind) and event.name == root and _reads(function, at, touch)
        for at, event in enumerate(function.events[:index])
    )


def _reads(function: FunctionFacts, bind: int, removal: Touch) -> bool:
    """True for `link = self._links[name]` and `link = self._links.get(name)`."""
    return any(_is_same(event, removal) for event in function.events[max(bind - 2, 0) : bind])


def _is_same(event: object, removal: Touch) -> bool:
    if not isinstance(event, Touch) or event.place != removal.place or event.key is None or removal.key is None:
        return False
    return event.action is Action.READ and _first(event.key) == _first(removal.key)


def _first(key: str) -> str:
    """`[name]` of `[name, None]`, which has a default as well."""
    return key.strip("[]").partition(",")[0]
