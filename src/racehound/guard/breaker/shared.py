"""A circuit whose period is kept in a store, with a copy in this process.

The copy answers as long as it is young. It is read again before an admission once it is older than
`refresh_seconds`, and the first time always: a process that knows nothing admits nobody on a guess.
Everything that changes the state goes to the store, and only the store decides who may probe.

When the store does not answer, the copy becomes the circuit, and the store is asked again every
`retry_seconds`. Once it answers, what it says holds, under a version that no call admitted meanwhile can
carry.
"""

import threading
from collections.abc import Callable
from typing import TypeVar

from racehound.guard.breaker.errors import StoreUnavailable
from racehound.guard.breaker.events import Announcer, EventKind
from racehound.guard.breaker.keeper import Change, LocalKeeper, Transition, failing, recording_failure
from racehound.guard.breaker.period import Admission, Period
from racehound.guard.breaker.store import BreakerStore, Failure, Reading
from racehound.guard.breaker.transitions import Moment

T = TypeVar("T")
NO_LIMIT = 2**31 - 1  # the largest count that every store can compare with


class SharedKeeper:
    __slots__ = ("_announcer", "_fresh_until", "_lock", "_lost_at", "_reading", "_store", "local")

    blocking = True

    def __init__(self, store: BreakerStore, local: LocalKeeper, announcer: Announcer) -> None:
        self._store = store
        self.local = local
        self._announcer = announcer
        self._fresh_until: float | None = None  # None: nothing was ever read
        self._lost_at: int | None = None  # the version at which the store was lost; None: it answers
        self._lock = threading.Lock()  # of `_lost_at`
        self._reading = threading.Lock()

    @property
    def period(self) -> Period:
        return self.local.period

    def current(self) -> Period:
        if self._fresh_until is None:
            self._refresh()
        elif self.local.clock() >= self._fresh_until and self._reading.acquire(blocking=False):
            # One thread reads; the others go on with a copy that was good until a moment ago.
            try:
                self._refresh()
            finally:
                self._reading.release()
        return self.local.period

    def change(self, transition: Transition[T]) -> Change[T]:
        asked = self._ask(lambda: self._store.change(self.local.name, transition))
        if asked is None:
            return self.local.change(transition)
        reading, result = asked
        return Change(self._adopt(reading), result)

    def fail(self, ticket: Admission, moment: Moment) -> Change[bool]:
        if ticket.token is not None:
            return self.change(failing(ticket, moment, self.local.settings))
        return self._count(ticket.version, moment, failing(ticket, moment, self.local.settings))

    def record_failure(self, moment: Moment) -> Change[bool]:
        transition = recording_failure(moment, self.local.settings)
        return self.change(transition) if self.period.gated else self._count(None, moment, transition)

    def renew_locks(self) -> None:
        self.local.renew_locks()
        self._lock = threading.Lock()
        self._reading = threading.Lock()

    def _count(self, version: int | None, moment: Moment, otherwise: Transition[bool]) -> Change[bool]:
        settings = self.local.settings
        failure = Failure(
            version=version,
            limit=int(min(settings.streak_limit, NO_LIMIT)),
            open_for=settings.open_duration(1, moment.draw),
            text=moment.failure,
        )
        asked = self._ask(lambda: (self._store.fail(self.local.name, failure),))
        if asked is None:
            return self.local.change(otherwise)
        (reading,) = asked
        if reading is None and version is None:  # no such row, or a disabled one
            return self.change(otherwise)
        if reading is None:
            self._refresh()
            return Change(self.period, result=False)
        return Change(self._adopt(reading), result=True)

    def _refresh(self) -> None:
        reading = self._ask(lambda: self._store.read(self.local.name))
        if reading is not None:
            self._adopt(reading)

    def _adopt(self, reading: Reading) -> Period:
        """Take over what the store says, unless something newer was heard meanwhile."""

        def adopted(period: Period, now: float) -> tuple[Period, None]:
            if reading.period.version < period.version:
                return period, None
            heard = reading.in_local_time(now)
            return heard.but(outcomes=period.outcomes, troubled=period.troubled), None

        return self.local.change(adopted).period

    def _ask(self, question: Callable[[], T]) -> T | None:
        """The store's answer, or None while it is down."""
        now = self.local.clock()
        if self._lost_at is not None and self._fresh_until is not None and now < self._fresh_until:
            return None
        try:
            self._rejoin()
            answer = question()
        except StoreUnavailable as error:
            self._fresh_until = now + self._store.retry_seconds
            self._note_lost(str(error))
            return None
        self._fresh_until = now + self._store.refresh_seconds
        return answer

    def _rejoin(self) -> None:
        lost_at = self._lost_at
        if lost_at is None:
            return
        alone = self.local.period.version
        fence = alone + 1 if alone != lost_at else 0

        def fenced(period: Period, now: float) -> tuple[Period, None]:
            del now
            return (period.but(version=fence) if period.version < fence else period), None

        reading, _ = self._store.change(self.local.name, fenced)
        self._adopt(reading)
        self._note_found()

    def _note_lost(self, reason: str) -> None:
        with self._lock:
            first = self._lost_at is None
            if first:
                self._lost_at = self.period.version
        if first:
            self._announcer.send(EventKind.STORE_LOST, self.local.name, self.period, reason)

    def _note_found(self) -> None:
        with self._lock:
            first = self._lost_at is not None
            self._lost_at = None
        if first:
            self._announcer.send(EventKind.STORE_RECOVERED, self.local.name, self.period)
