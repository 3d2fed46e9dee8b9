"""A place that is free for one: who finds it free puts in what it brings, and says so; others are refused."""

from collections.abc import Iterator, Sequence

from racehound.analysis.flow.branches import Fork, fork_at, leaves
from racehound.analysis.state.gaps import Gap
from racehound.source.events import SELF, Action, Bind, Event, Exit, Flow, Place, Shape, Value
from racehound.source.facts import FunctionFacts

_ONES_OWN = frozenset(
    {"get_ident", "get_native_id", "current_thread", "getpid", "time", "monotonic", "now", "utcnow"}
)
"""Calls that say who it is, or when."""


def is_claim(gap: Gap) -> bool:
    act = gap.act.use
    if act.touch.action is not Action.WRITE or act.function is not gap.function or not act.touch.values:
        return False
    brought = all(_is_brought(gap.function, value) for value in act.touch.values)
    return brought and _refuses_others(gap)


def _is_brought(function: FunctionFacts, value: Value) -> bool:
    """True for what a caller gave, or its turn did: another one has another."""
    if value.shape is Shape.CALL:
        return value.name in _ONES_OWN
    if value.shape is not Shape.PLACE or value.place is None or value.place.root == SELF:
        return False
    root = value.place.root
    if root in function.bound:
        return any(_is_taken_from(function, item) for item in _given(function, root))
    return root in function.parameters


def _given(function: FunctionFacts, name: str) -> Iterator[Value]:
    for event in function.events:
        if isinstance(event, Bind) and event.name == name:
            yield from event.values


def _is_taken_from(function: FunctionFacts, value: Value) -> bool:
    """True for a part of what the caller gave: `user = request.user`, `name = request.args["name"]`."""
    parts = (value, *value.arguments)
    places = [part.place for part in parts if part.place is not None]
    return any(place.root in function.parameters or _is_request(function, place) for place in places)


def _is_request(function: FunctionFacts, place: Place) -> bool:
    return function.module.imports.get(place.root, "").rpartition(".")[2] == "request"


def _refuses_others(gap: Gap) -> bool:
    """True if whoever comes too late is told something else than the one who got it."""
    events = gap.function.events
    if gap.decided + 1 >= len(events) or events[gap.decided + 1] is not Flow.FORK:
        return False
    fork = fork_at(events, gap.decided + 1)
    refused, done = _two_ways(events, fork, gap.act.at)
    ends = [event for event in refused if event.kind in {"return", "raise"}]
    if not ends:
        return False
    if all(event.kind == "raise" for event in ends):
        return True
    told = {event.value for event in ends if event.value.name not in _TEXTS}
    given = [event.value for event in done if event.kind == "return"]
    if not given or not all(event.value.shape is Shape.CONSTANT for event in ends):
        return False
    return told.isdisjoint(given)


_TEXTS = frozenset({"str", "bytes"})
"""Of texts it is only known that they are texts: two that are returned are taken for two different ones."""


def _two_ways(events: Sequence[Event], fork: Fork, act: int) -> tuple[list[Exit], list[Exit]]:
    """How the function ends for those who are too late, and for the one who is not."""
    for start, end in fork.branches:
        if start <= act < end and leaves(events, start, end):
            others = [item for item in fork.branches if item != (start, end)]
            late = [event for item in others for event in _exits(events, *item)]
            return late or _exits(events, fork.join, len(events)), _exits(events, act, end)
    late = [
        event
        for start, end in fork.branches
        if not start <= act < end and leaves(events, start, end)
        for event in _exits(events, start, end)
    ]
    return late, _exits(events, act, len(events))


def _exits(events: Sequence[Event], start: int, end: int) -> list[Exit]:
    return [event for event in events[start:end] if isinstance(event, Exit)]
