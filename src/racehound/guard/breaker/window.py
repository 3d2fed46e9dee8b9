"""Outcomes of the last calls, kept so that a success needs no lock.

`append` may be called at any time by any thread: it is the append of a deque, which is atomic with the
GIL and without it. Everything else runs under the lock of the circuit.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

from racehound.guard.breaker.settings import Window

FINE, FAILED, SLOW, FAILED_SLOWLY = range(4)
BUCKETS = 10


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
    """`append` notes a call that went fine, as long as it ended before `rotate_at`; `add` takes the rest."""

    append: Callable[[int], None]
    rotate_at: float

    def add(self, outcome: int, now: float) -> None: ...
    def tally(self, now: float) -> Tally: ...


class LastCalls:
    """The outcomes of the last so many calls."""

    __slots__ = ("_outcomes", "append", "rotate_at")

    def __init__(self, size: int) -> None:
        self._outcomes: deque[int] = deque(maxlen=size)
        self.append: Callable[[int], None] = self._outcomes.append
        self.rotate_at = float("inf")

    def add(self, outcome: int, now: float) -> None:
        del now
        self.append(outcome)

    def tally(self, now: float) -> Tally:
        del now
        noted = self._outcomes.copy()
        both = noted.count(FAILED_SLOWLY)
        return Tally(calls=len(noted), failures=noted.count(FAILED) + both, slow=noted.count(SLOW) + both)


class Bucket:
    """Outcomes of a tenth of the window, a deque per kind: counting them is taking its length."""

    __slots__ = ("end", "noted")

    def __init__(self, end: float) -> None:
        self.end = end
        self.noted: tuple[deque[int], ...] = (deque(), deque(), deque(), deque())


class LastSeconds:
    """The outcomes of the last so many seconds, in buckets: the oldest tenth leaves at once."""

    __slots__ = ("_buckets", "_width", "append", "rotate_at")

    def __init__(self, seconds: float, now: float) -> None:
        self._width = seconds / BUCKETS
        self._buckets: tuple[Bucket, ...] = ()
        self.append: Callable[[int], None]
        self.rotate_at = now
        self._rotate(now)

    def add(self, outcome: int, now: float) -> None:
        self._rotate(now)
        self._buckets[-1].noted[outcome].append(outcome)

    def tally(self, now: float) -> Tally:
        self._rotate(now)
        oldest = now - self._width * BUCKETS
        live = [bucket.noted for bucket in self._buckets if bucket.end > oldest]
        fine, failed, slow, both = (sum(len(noted[kind]) for noted in live) for kind in range(4))
        return Tally(calls=fine + failed + slow + both, failures=failed + both, slow=slow + both)

    def _rotate(self, now: float) -> None:
        if now < self.rotate_at:
            return
        oldest = now - self._width * BUCKETS
        fresh = Bucket(now + self._width)
        self._buckets = (*(bucket for bucket in self._buckets if bucket.end > oldest), fresh)
        self.append = fresh.noted[FINE].append
        self.rotate_at = fresh.end


NOTHING_KEPT: Outcomes = LastCalls(0)


def outcomes_for(window: Window | None, now: float) -> Outcomes:
    if window is None:
        return NOTHING_KEPT
    if window.seconds is None:
        return LastCalls(window.calls)
    return LastSeconds(window.seconds, now)
