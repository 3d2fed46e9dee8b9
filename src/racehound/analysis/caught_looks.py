"""Looks that raise where there is nothing: `try: return table[key]`, `except KeyError`, and then it is made."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.branches import behind, fork_at, leaves
from racehound.source.attempts import Attempt
from racehound.source.events import Action, Event, Flow, Touch
from racehound.source.facts import FunctionFacts

_OF_ITEMS = frozenset({"KeyError", "LookupError"})
_OF_ATTRIBUTES = frozenset({"AttributeError"})


class CaughtLook(NamedTuple):
    look: int
    """Index of the read that raises."""
    ranges: tuple[tuple[int, int], ...]
    """What happens only because it did."""


def caught_looks(function: FunctionFacts) -> Iterator[CaughtLook]:
    for attempt in function.attempts:
        for names, takes_items in ((_OF_ITEMS, True), (_OF_ATTRIBUTES, False)):
            if any(names & set(caught.names) for caught in attempt.handlers):
                ranges = tuple(_dependent(function.events, attempt, names))
                for index in range(attempt.begin, attempt.end):
                    if _is_look(function.events[index], takes_items=takes_items):
                        yield CaughtLook(index, ranges)


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
