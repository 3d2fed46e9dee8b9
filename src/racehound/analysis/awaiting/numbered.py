"""Numbers that a coroutine gives away, and raises only after the await: the next one is given the same."""

import re
from collections.abc import Iterator

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.flow.paths import Paths
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.fields import Use
from racehound.source.events import Action, Pause
from racehound.source.facts import FunctionFacts

_NUMBERS = re.compile(r"seq|count|serial|nonce|ordinal|number|index|next|(^|_)(id|no|num|tag|token|xid|mid)$")


def numbered_late(function: FunctionFacts, paths: Paths, own: list[Use]) -> Iterator[tuple[Use, Use, int]]:
    """The number given, the change that comes too late, and the await in between."""
    for last in own:
        raised = own_read(function, last.index)
        if last.touch.action is not Action.WRITE or raised is None or not _is_number(last):
            continue
        for first in own:
            pause = _given_with(function, first) if first.touch.action is Action.READ else None
            if pause is None or not pause < raised or not paths.is_sure_before(first.index, raised):
                continue
            if not any(use.changes and first.index < use.index < last.index for use in own):
                yield first, last, pause


def _is_number(use: Use) -> bool:
    name = (use.touch.place.attributes or (use.touch.place.root,))[-1]
    return _NUMBERS.search(name.lower()) is not None


def _given_with(function: FunctionFacts, use: Use) -> int | None:
    """The await of the call that the value is an argument of."""
    for index in range(use.index + 1, len(function.events)):
        event = function.events[index]
        if isinstance(event, Pause) and not event.yields:
            slept = event.value.name in {"sleep", "wait_for", "wait"}
            return index if is_inside(use.touch.span, event.span) and not slept else None
    return None
