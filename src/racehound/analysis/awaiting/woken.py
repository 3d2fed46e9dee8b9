"""Coroutines that wait until something is free and then take it without looking again: others may be quicker."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from racehound.analysis.flow.branches import fork_at, leaves
from racehound.analysis.flow.paths import Paths
from racehound.analysis.state.fields import Use
from racehound.source.events import Action, Bind, Call, Decision, Event, Flow, Pause
from racehound.source.facts import FunctionFacts


class Woken(NamedTuple):
    check: Use
    act: Use
    pause: int
    freed: Use
    """Where another function gives back what is waited for."""


def woken(function: FunctionFacts, paths: Paths, uses: list[Use]) -> Iterator[Woken]:
    """Each act on a field that follows a wait for it, where `if` stands in place of `while`."""
    own = [use for use in uses if use.function is function]
    given_back = [use for use in uses if use.changes and use.function is not function]
    for check in own if given_back else ():
        pause = _waits(function, check.index) if check.touch.action is Action.CHECK else None
        if pause is None:
            continue
        for act in own:
            takes = act.changes and _is_same(check, act) and paths.reaches(pause, act.index)
            if takes and not _looks_again(function, own, pause, act.index):
                yield Woken(check, act, pause, given_back[0])
                break


def _waits(function: FunctionFacts, check: int) -> int | None:
    """The await for an event in the branch that a look decides, where the function goes on behind the branch."""
    events = function.events
    for index in range(check, len(events) - 1):
        event = events[index]
        if isinstance(event, Decision) and check in event.sources and _is_if(events, index):
            start, end = fork_at(events, index + 1).branches[0]
            waiting = [at for at in range(start, end) if _is_wait(events[at])]
            pauses = [at for at in range(start, end) if _is_await(events[at])]
            if waiting and pauses and waiting[0] < pauses[-1] and not leaves(events, start, end):
                return pauses[-1]
    return None


def _is_if(events: Sequence[Event], decision: int) -> bool:
    """False for the test of a `while`, which stands behind the marker of the loop."""
    if events[decision + 1] is not Flow.FORK:
        return False
    before = next((item for item in reversed(events[:decision]) if isinstance(item, Flow | Bind)), None)
    return before is not Flow.LOOP


def _is_wait(event: object) -> bool:
    """True for `event.wait()`; a `wait` that is told what for gives back what it waited for."""
    return isinstance(event, Call) and event.method == "wait" and not event.arguments


def _is_await(event: object) -> bool:
    return isinstance(event, Pause) and not event.yields


def _looks_again(function: FunctionFacts, own: list[Use], pause: int, act: int) -> bool:
    seen = {use.index for use in own if pause < use.index < act}
    return any(
        isinstance(event, Decision) and not seen.isdisjoint(event.sources)
        for event in function.events[pause : act + 1]
    )


def _is_same(check: Use, act: Use) -> bool:
    if check.touch.place != act.touch.place:
        return False
    return check.touch.key is None or act.touch.key is None or check.touch.key == act.touch.key
