"""Outcomes of the last calls, kept so that a success needs no lock.

`append` may be called at any time by any thread: it is the append of a deque, which is atomic with the
GIL and without it. Everything else runs under the lock of the circuit.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

from racehound.guard.breaker.settings import Window

FINE, FAILED, SLOW, FAILED_SLOWLY = range(4)
GRAINS = 1000  # in the length of a window over time


class Tally(NamedTuple):
    calls: int = 0
    failures: int = 0
    slow: int = 0

    @property
    def failure_rate(self) -> float:
        return self.failures / self.calls if self.calls else 0.0

    @property
    def slow_rate(self) -> float:
        return self.slow / self.calls if self.calls else 0.0

    @property
    def is_fine(self) -> bool:
        return not self.failures and not self.slow

    def exceeds(self, window: Window) -> bool:
        if self.calls < window.minimum_calls:
            return False
        if window.failure_rate is not None and self.failure_rate >= window.failure_rate:
            return True
        return window.slow_rate is not None and self.slow_rate >= window.slow_rate


class Outcomes(Protocol):
    """`append(stamp)` notes a call that went fine, if it ended before `stale_at`; `add` takes the rest."""

    append: Callable[[float], None]
    stamp: float
    stale_at: float

    def add(self, outcome: int, now: float) -> None: ...
    def tally(self, now: float) -> Tally: ...


class LastCalls:
    """The outcomes of the last so many calls."""

    __slots__ = ("_outcomes", "append", "stale_at", "stamp")

    def __init__(self, size: int) -> None:
        self._outcomes: deque[float] = deque(maxlen=size)
        self.append: Callable[[float], None] = self._outcomes.append
        self.stamp: float = FINE
        self.stale_at = float("inf")

    def add(self, outcome: int, now: float) -> None:
        del now
        self.append(outcome)

    def tally(self, now: float) -> Tally:
        del now
        noted = self._outcomes.copy()
        both = noted.count(FAILED_SLOWLY)
        return Tally(calls=len(noted), failures=noted.count(FAILED) + both, slow=noted.count(SLOW) + both)


class LastSeconds:
    """The calls that ended in the last so many seconds: when each did, by kind.

    Those that went fine in one grain of time share its beginning as their time. So they may leave by a grain
    too early, and none of them costs more than its place in a deque.
    """

    __slots__ = ("_ends", "_seconds", "append", "stale_at", "stamp")

    def __init__(self, seconds: float, now: float) -> None:
        self._seconds = seconds
        self._ends: tuple[deque[float], ...] = (deque(), deque(), deque(), deque())
        self.append: Callable[[float], None] = self._ends[FINE].append
        self.stamp = self.stale_at = now
        self._forget(now)

    def add(self, outcome: int, now: float) -> None:
        self._forget(now)
        self._ends[outcome].append(now)

    def tally(self, now: float) -> Tally:
        self._forget(now)
        fine, failed, slow, both = map(len, self._ends)
        return Tally(calls=fine + failed + slow + both, failures=failed + both, slow=slow + both)

    def _forget(self, now: float) -> None:
        oldest = now - self._seconds
        for ends in self._ends:
            while ends and ends[0] <= oldest:
                ends.popleft()
        self.stamp = now
        self.stale_at = now + self._seconds / GRAINS


NOTHING_KEPT: Outcomes = LastCalls(0)


def outcomes_for(window: Window | None, now: float) -> Outcomes:
    if window is None:
        return NOTHING_KEPT
    if window.seconds is None:
        return LastCalls(window.calls)
    return LastSeconds(window.seconds, now)
