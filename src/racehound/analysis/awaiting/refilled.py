"""Containers that a coroutine empties and fills again, with an await in between: two of them fill it twice."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.paths import Paths
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.state.emptied import adds, empties
from racehound.analysis.state.fields import Use
from racehound.source.facts import FunctionFacts


class Refilled(NamedTuple):
    emptied: Use
    pause: int
    added: Use
    read: Use
    """Somebody else who finds it empty, half filled, or filled twice."""


def refilled(function: FunctionFacts, paths: Paths, uses: list[Use]) -> Iterator[Refilled]:
    own = [use for use in uses if use.function is function]
    reads = [use for use in uses if not use.changes and outer_method(use.function) is not outer_method(function)]
    for first in own if reads else ():
        if not empties(first):
            continue
        for last in own:
            pause = paths.pause_between(first.index, last.index) if _grows(last) else None
            if pause is not None and not any(empties(use) and pause < use.index < last.index for use in own):
                yield Refilled(first, pause, last, reads[0])
                return


def _grows(use: Use) -> bool:
    """An item is put behind the others: a second one of the kind does not replace the first."""
    return adds(use) and use.touch.method in {"append", "extend", "insert", "appendleft"}
