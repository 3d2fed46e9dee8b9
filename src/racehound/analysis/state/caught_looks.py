"""Looks that raise where there is nothing: `try: return table[key]`, `except KeyError`, and then it is made."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.branches import behind, fork_at, leaves
from racehound.source.attempts import Attempt
from racehound.source.events import Action, Event, Flow, Touch
from racehound.source.facts import FunctionFacts

_OF_ITEMS = frozenset({"KeyError", "LookupError"})
_OF_ATTRIBUTES = frozenset({"AttributeError"})
_OF_NONE = frozenset({"TypeError"})


class CaughtLook(NamedTuple):
    look: int
    """Index of the read that raises."""
    ranges: tuple[tuple[int, int], ...]
    """What happens only because it did."""
    is_whole: bool = False
    """There is no table at all yet: `self._table[key]` of None."""


def caught_looks(function: FunctionFacts) -> Iterator[CaughtLook]:
    for attempt in function.attempts:
        for names, takes_items in ((_OF_ITEMS, True), (_OF_ATTRIBUTES, False)):
            if any(names & set(caught.names) for caught in attempt.handlers):
                ranges = tuple(_dependent(function.events, attempt, names))
                for index in range(attempt.begin, attempt.end):
                    if _is_look(function.events[index], takes_items=takes_items):
                        yield CaughtLook(index, ranges)
        yield from _looks_at_none(function, attempt)


def _looks_at_none(function: FunctionFacts, attempt: Attempt) -> Iterator[CaughtLook]:
    """`self._table[key]` and `self._link.send(data)` raise as well where nothing has been made yet."""
    for names, by_item in ((_OF_NONE, True), (_OF_ATTRIBUTES, False)):
        if any(names & set(caught.names) for caught in attempt.handlers):
            ranges = tuple(_dependent(function.events, attempt, names))
            for index in range(attempt.begin, attempt.end):
                if _is_look_at_none(function.events[index], by_item=by_item):
                    yield CaughtLook(index, ranges, is_whole=True)


def _is_look_at_none(event: Event, *, by_item: bool) -> bool:
    if not isinstance(event, Touch) or event.action is not Action.READ:
        return False
    return (event.key is not None and not event.method) if by_item else bool(event.method)


def _is_look(event: Event, *, takes_items: bool) -> bool:
    if not isinstance(event, Touch) or event.action is not Action.READ or event.method:
        return False
    return (event.key is not None) is takes_items


def _dependent(events: list[Event], attempt: Attempt, names: frozenset[str]) -> Iterator[tuple[int, int]]:
    """The handlers; and what comes behind the statement, where the body leaves if it finds something."""
    begin = attempt.begin + (events[attempt.begin] is Flow.TRY)
    goes_on = False
    for caught in attempt.handlers:
        if names & set(caught.names):
            yield caught.events
            goes_on = goes_on or not leaves(events, *caught.events)
    if goes_on and events[begin] is Flow.FORK:
        fork = fork_at(events, begin)
        if leaves(events, *fork.branches[0]):
            yield from behind(events, fork.join + 1, on=True)
