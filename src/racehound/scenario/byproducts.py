"""What an execution has made or used up on its way, as no serial order does, though all else is as in one.

The first task that has to wait may need something that is made once and stays: a class for waiters, a lock that
has done its duty. And one that is woken for nothing queues again, and draws another number to do so. In serial
orders nobody waits. Neither hurts anybody by itself, and neither is proven right: what would come of it later was
not tried.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from racehound.scenario.snapshot import Snapshot, is_constant

_PRIVATE = re.compile(r"state\b.*\._")
_DRAWN = re.compile(r"\bcount\((\d+)((?:, \d+)?)\)")
_ABSENT = object()

MADE = "{} is made on the way, which no serial order does, and whether all is well later was not tried"
DRAWN = "more numbers are drawn from {} than in any serial order, and whether all is well later was not tried"


def rebound(before: Mapping[str, object], now: Mapping[str, object]) -> frozenset[str]:
    """The names that stand for something made since; a plain value is a result, not a thing to be used."""
    names = before.keys() | now.keys()
    return frozenset(name for name in names if _is_made(before.get(name, _ABSENT), now.get(name, _ABSENT)))


def _is_made(before: object, now: object) -> bool:
    if before is now or is_constant(now):
        return False
    return before is None or not is_constant(before)


def about(names: Iterable[str], snapshots: Iterable[Snapshot]) -> set[str]:
    """The paths that tell of what these names stand for."""
    told = re.compile("|".join(rf"(?<![\w.]){re.escape(name)}(?!\w)" for name in names))
    return {path for snapshot in snapshots for path in snapshot if told.search(path)}


def drawn_further(seen: Snapshot, serial: Snapshot) -> Iterator[str]:
    """The private counters of the subject that have gone further than in a serial order."""
    for path, text in serial.items():
        later = seen.get(path, text)
        if later != text and _PRIVATE.match(path) and _is_further(later, text):
            yield path


def _is_further(later: str, text: str) -> bool:
    numbers = [[int(match[1]) for match in _DRAWN.finditer(each)] for each in (later, text)]
    same = _DRAWN.sub(r"count(_\2)", later) == _DRAWN.sub(r"count(_\2)", text)
    return same and all(one >= other for one, other in zip(*numbers, strict=True))
