"""Locks that a coroutine hands out: `async with await self._lock_of(key):`."""

import re

from racehound.source.events import Acquire, Pause, Release
from racehound.source.facts import FunctionFacts

_LOCKS = re.compile(r"lock(?!ed|s)|mutex|semaphore", re.IGNORECASE)


def is_under_awaited_lock(function: FunctionFacts, first: int, last: int) -> bool:
    """True if one that was awaited by its name is entered before both events, and left behind them."""
    for at, event in enumerate(function.events[:first]):
        if isinstance(event, Acquire) and event.is_async and _is_awaited_by_name(function, at, event):
            ends = (
                later
                for later, other in enumerate(function.events[at:], at)
                if isinstance(other, Release)
                and other.span[:2] <= event.span[:2]
                and other.span[2:] >= event.span[2:]
            )
            if next(ends, 0) > last:
                return True
    return False


def _is_awaited_by_name(function: FunctionFacts, at: int, taken: Acquire) -> bool:
    return any(
        isinstance(event, Pause) and event.span == taken.span and _LOCKS.search(event.value.name) is not None
        for event in function.events[max(at - 3, 0) : at]
    )
