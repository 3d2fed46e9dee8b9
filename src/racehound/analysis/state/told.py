"""What is done for people to read: that it is done twice does no harm."""

import re

from racehound.analysis.flow.branches import end_of_block, fork_at
from racehound.analysis.state.gaps import Gap
from racehound.source.events import Call, Flow

SAYING = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log", "print", "echo"})
WORDING = frozenset(
    {"format", "strip", "join", "str", "repr", "len", "type", "_", "gettext", "split", "get", "id", "getLogger"}
)
NOTING = re.compile(r"\w*(warn|log|seen|told|reported|shown|notified|printed)\w*", re.IGNORECASE)


def only_tells(gap: Gap) -> bool:
    """True if all that hangs on the look is a message, which is noted so as not to be repeated."""
    events, touch = gap.function.events, gap.act.use.touch
    if gap.decided + 1 >= len(events) or events[gap.decided + 1] is not Flow.FORK or not gap.act.is_inside:
        return False
    fork = fork_at(events, gap.decided + 1)
    ranges = [(start, end) for start, end in fork.branches if start <= gap.act.at < end]
    if not ranges and any(Flow.LEAVE in events[start:end] for start, end in fork.branches):
        ranges = [(max(end for _, end in fork.branches), len(events))]  # whoever is told already is gone
    for start, end in ranges:
        calls = [event for event in events[start:end] if isinstance(event, Call) and event.span != touch.span]
        said = any(call.method in SAYING for call in calls)
        return said and all(call.method in SAYING | WORDING or NOTING.fullmatch(call.method) for call in calls)
    return False


def is_noted_last(gap: Gap) -> bool:
    """True for `checked.add(name)` behind the check itself, with nothing after it: at worst it is done twice."""
    events, touch = gap.function.events, gap.act.use.touch
    if touch.method != "add" or not gap.act.is_inside:
        return False
    calls = [
        index
        for index, event in enumerate(events)
        if isinstance(event, Call) and event.span != touch.span and index > gap.decided
    ]
    end = end_of_block(events, gap.act.at)
    return any(index < gap.act.at for index in calls) and not any(gap.act.at < index < end for index in calls)
