"""Where the current period of a circuit is kept."""

import threading
from collections.abc import Callable
from typing import Generic, NamedTuple, Protocol, TypeVar

from racehound.guard.breaker.events import ENTERED, Announcer
from racehound.guard.breaker.period import Admission, Period
from racehound.guard.breaker.settings import Settings
from racehound.guard.breaker.transitions import Moment, failed, is_stale, recorded_failure
from racehound.guard.breaker.window import outcomes_for

T = TypeVar("T")
Clock = Callable[[], float]
Transition = Callable[[Period, float], tuple[Period, T]]


class Change(NamedTuple, Generic[T]):
    period: Period  # the one that holds after the change
    result: T


class Keeper(Protocol):
    """Replaces the period atomically. `period` may be read at any time, without a lock.

    `fail` and `record_failure` say whether the failure counted, or was stale.
    """

    blocking: bool  # whether a change may wait for a disk or a server

    @property
    def period(self) -> Period: ...
    @property
    def local(self) -> "LocalKeeper": ...
    def current(self) -> Period: ...
    def change(self, transition: Transition[T]) -> Change[T]: ...
    def fail(self, ticket: Admission, moment: Moment) -> Change[bool]: ...
    def record_failure(self, moment: Moment) -> Change[bool]: ...
    def renew_locks(self) -> None: ...


def failing(ticket: Admission, moment: Moment, settings: Settings) -> Transition[bool]:
    def transition(period: Period, now: float) -> tuple[Period, bool]:
        return failed(period, ticket, moment.at(now), settings), not is_stale(period, ticket)

    return transition


def recording_failure(moment: Moment, settings: Settings) -> Transition[bool]:
    return lambda period, now: (recorded_failure(period, moment.at(now), settings), True)


class LocalKeeper:
    """Keeps the period in this process: one attribute, replaced under one lock.

    The clock is read before the lock is taken, because it may be the user's. A transition is one of
    ours, runs no foreign code and takes no other lock.
    """

    __slots__ = ("_announcer", "_lock", "clock", "name", "period", "settings")

    blocking = False

    def __init__(self, name: str, settings: Settings, clock: Clock, announcer: Announcer) -> None:
        self.name = name
        self.settings = settings
        self.clock = clock
        self._announcer = announcer
        self._lock = threading.Lock()
        self.period = self._furnished(Period(), clock())

    @property
    def local(self) -> "LocalKeeper":
        return self

    def current(self) -> Period:
        return self.period

    def change(self, transition: Transition[T]) -> Change[T]:
        now = self.clock()
        with self._lock:
            before = self.period
            after, result = transition(before, now)
            if after.version != before.version:
                after = self._furnished(after, now)
            self.period = after
        if after.version != before.version:
            self._announcer.send(ENTERED[after.state], self.name, after, after.last_failure)
        return Change(after, result)

    def fail(self, ticket: Admission, moment: Moment) -> Change[bool]:
        return self.change(failing(ticket, moment, self.settings))

    def record_failure(self, moment: Moment) -> Change[bool]:
        return self.change(recording_failure(moment, self.settings))

    def renew_locks(self) -> None:
        """After a fork: the thread that held the lock does not exist in the child."""
        self._lock = threading.Lock()

    def _furnished(self, period: Period, now: float) -> Period:
        return period.but(outcomes=outcomes_for(self.settings.window, now), troubled=False)
