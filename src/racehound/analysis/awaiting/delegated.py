"""Coroutines that look at a field and leave it to another one to act, which waits before it does."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.paths import Paths
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.state.fields import Use
from racehound.source.events import SELF, Action, Call, Pause, Place
from racehound.source.facts import FunctionFacts


class Delegated(NamedTuple):
    check: Use
    act: Use
    """As an act of the one that looked, where it awaits the other."""
    inside: Use
    """The same as an act of the other."""


def delegated(function: FunctionFacts, paths: Paths, uses: list[Use], hierarchy: Hierarchy) -> Iterator[Delegated]:
    """Each act of an awaited method that a look of this function decides; one that looks itself is left out."""
    looks = [use for use in uses if use.function is function and use.touch.action is Action.CHECK]
    firsts = {use.function: use for use in reversed(uses)} if looks else {}
    for call, helper in _awaited(function, hierarchy) if looks else ():
        deciding = next((look for look in reversed(looks) if paths.decided_by(look.index, call)), None)
        first = firsts.get(helper)
        if deciding is None or first is None or not first.changes or first.touch.place != deciding.touch.place:
            continue
        if any(pause < first.index for pause in Paths(helper).pauses):
            yield Delegated(deciding, _seen_at(function, call, first), first)


def _seen_at(function: FunctionFacts, call: int, act: Use) -> Use:
    event = function.events[call]
    span = event.span if isinstance(event, Call) else act.touch.span
    return act._replace(function=function, index=call, touch=act.touch._replace(span=span))


def _awaited(function: FunctionFacts, hierarchy: Hierarchy) -> Iterator[tuple[int, FunctionFacts]]:
    """The coroutines of the same object that a function awaits, with the places of the calls."""
    for index, event in enumerate(function.events[:-1]) if Call in function.holds else ():
        following = function.events[index + 1]
        if type(event) is not Call or not isinstance(following, Pause) or following.yields:
            continue
        if event.loop:
            continue  # the look decides about the next round, and not about what this one does
        helper = _method(event.callee, function, hierarchy)
        if helper is not None and helper.is_async and helper is not function:
            yield index, helper


def _method(callee: Place | None, function: FunctionFacts, hierarchy: Hierarchy) -> FunctionFacts | None:
    if function.owner is None or callee is None or callee.root != SELF or len(callee.attributes) != 1:
        return None
    return hierarchy.method(function.owner, callee.attributes[0])
