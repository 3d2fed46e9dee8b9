"""Which way a question must go for what hangs on it: behind `if pool is None: raise` nobody is without a pool."""

import re
from typing import Final

from racehound.analysis.flow.branches import fork_at, leaves
from racehound.analysis.state.gaps import Gap
from racehound.source.events import Decision, Flow

_EMPTY: Final = (re.compile(r"not (?P<place>.+)"), re.compile(r"(?P<place>.+) (is|==) None"))
_THERE: Final = (re.compile(r"(?P<place>.+) (is not|!=) None"), re.compile(r"(?P<place>.+)"))


def needs_something(gap: Gap) -> bool:
    """True if the act comes only where the check has found something there; false where that is not seen."""
    if_true, asks_for_empty = _is_reached_if_true(gap), _asks_for_empty(gap)
    return if_true is not None and asks_for_empty is not None and if_true is not asks_for_empty


def _asks_for_empty(gap: Gap) -> bool | None:
    """What a test asks for that is about nothing but the place that was checked."""
    decision = gap.function.events[gap.decided]
    if not isinstance(decision, Decision):
        return None
    place, test = str(gap.check.use.touch.place), _text(gap, decision)
    for forms, answer in ((_EMPTY, True), (_THERE, False)):
        if any((found := form.fullmatch(test)) is not None and found["place"] == place for form in forms):
            return answer
    return None


def _text(gap: Gap, decision: Decision) -> str:
    """The test as the source says it, where it stands on one line."""
    span = decision.span
    if span.line != span.end_line:
        return ""
    line = gap.function.module.line(span.line).encode()
    return line[span.column : span.end_column].decode(errors="replace")


def _is_reached_if_true(gap: Gap) -> bool | None:
    """None where the act comes either way, or in a loop."""
    events, act = gap.function.events, gap.act.at
    start = gap.decided + 1
    if start >= len(events) or events[start] is not Flow.FORK:
        return None
    fork = fork_at(events, start)
    (begin, end), *others = fork.branches
    if begin <= act < end:
        return True
    if any(first <= act < last for first, last in others):
        return False
    if act < fork.join or not leaves(events, begin, end):
        return None
    return None if any(leaves(events, *branch) for branch in others) else False
