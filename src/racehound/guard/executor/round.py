"""One invocation: its attempts, its deadline, and when it is decided.

The waiting side alone moves a round on: it calls `advance`, waits for as long as that says or until it is woken,
and calls again. The running sides only record results and wake it when there is something to decide.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from racehound.guard.executor.attempt import Attempt
from racehound.guard.executor.errors import StrategyCancelled, StrategyRejected, StrategyTimedOut
from racehound.guard.executor.mode import Mode
from racehound.guard.executor.outcome import Outcome, Status

if TYPE_CHECKING:
    from racehound.guard.executor.admission import Breaker
    from racehound.guard.executor.permit import Permit
    from racehound.guard.executor.places import Places


DEADLINE_PASSED = "the deadline passed"

Launcher = Callable[[Sequence[Attempt]], Iterable[tuple[Attempt, str]]]
"""Brings attempts to where they run; returns those it has no room for, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a round was asked for; `outer` is the attempt of the strategy that asked, if one did."""

    args: tuple[object, ...]
    mode: Mode
    timeout: float | None
    outer: Attempt | None


class Round:
    def __init__(self, terms: Terms, breaker: Breaker | None, places: Places) -> None:
        self.terms = terms
        self.args = terms.args
        self.mode = terms.mode
        self.breaker = breaker
        self.places = places
        self.pool = places.pool_for(terms.outer)
        self.breaker_blocks = False  # it may wait for a store, which no event loop should
        self.defers_verdicts = False  # the waiting side is an event loop, and the breaker blocks
        self._owed: list[Callable[[], None]] = []
        self._may_end_early = terms.mode != Mode.ALL  # then each result is worth a look
        self.attempts: list[Attempt] = []
        self._timed: list[Attempt] = []  # those with a timeout of their own
        self.launch: Launcher
        self.wake: Callable[[], object]
        self._deadline = math.inf if terms.timeout is None else monotonic() + terms.timeout
        self._lock = threading.Lock()
        self._launched = 0
        self._last_launch = -math.inf
        self._unsettled = 0
        self._succeeded = 0
        self._interrupt: BaseException | None = None
        self._over = False  # from here on nobody is woken: a waiting event loop may be gone
        self._cancelled: str | None = None

    # The running side.

    def start(self, attempt: Attempt, permit: Permit | None) -> bool:
        with self._lock:
            if attempt.outcome is not None:
                return False
            attempt.permit = permit
            attempt.started = monotonic()
            return True

    def claim(self, attempt: Attempt, outcome: Outcome[Any]) -> bool:
        with self._lock:
            if attempt.outcome is not None:
                return False
            attempt.outcome = outcome
            return True

    def publish(self, outcome: Outcome[Any]) -> None:
        with self._lock:
            self._unsettled -= 1
            if outcome.status is Status.OK:
                self._succeeded += 1
            if not self._unsettled or self._may_end_early:
                self._rouse()

    def came_back(self, attempt: Attempt, outcome: Outcome[Any] | None = None) -> None:
        self.places.stragglers.came_back(attempt, outcome)

    def keep_stopper(self, attempt: Attempt, stopper: Callable[[], object]) -> bool:
        with self._lock:
            if attempt.outcome is not None:
                return False
            attempt.add_stopper(stopper)
            return True

    # Anybody.

    def interrupt(self, error: BaseException) -> None:
        """End the round and raise `error` from it."""
        with self._lock:
            self._interrupt = error
            self._rouse()

    def cancel(self, reason: str) -> None:
        """End the round; what is not settled counts as cancelled."""
        with self._lock:
            self._cancelled = reason
            self._rouse()

    def _rouse(self) -> None:
        if not self._over:
            self.wake()

    def _is_decided(self) -> bool:
        return self.mode.is_decided(succeeded=self._succeeded, unsettled=self._unsettled)

    # The waiting side.

    def begin(self, attempts: list[Attempt]) -> None:
        self.attempts = attempts
        self._timed = [attempt for attempt in attempts if attempt.strategy.timeout is not None]
        self._unsettled = len(attempts)

    def advance(self) -> float | None:
        """Do what is due; the seconds until the next call is, or `None` once the round is over."""
        now = monotonic()
        reason = self._reason_to_end(now)
        if reason is None and self._act(now):
            reason = self._reason_to_end(now)
        if reason is not None:
            self._end(reason)
            return None
        return max(0.0, min(self._deadline, self._next_timeout(now), self._next_launch()) - now)

    def _act(self, now: float) -> bool:
        """Give up what is overdue and launch what is due; whether that settled anything."""
        overdue = self._time_out_strategies(now) if self._timed else False
        return self._launch_due(now) or overdue

    def _reason_to_end(self, now: float) -> str | None:
        with self._lock:
            if self._interrupt is not None:
                return "the round was interrupted"
            if self._unsettled == 0 or (self._may_end_early and self._is_decided()):
                return "the round was decided without it"
            if self._cancelled is not None:
                return self._cancelled
        return DEADLINE_PASSED if now >= self._deadline else None

    def _end(self, reason: str) -> None:
        timed_out = self._interrupt is None and reason == DEADLINE_PASSED
        self._give_up_rest(self._overdue if timed_out else partial(self._unwanted, reason))
        if self._interrupt is not None:
            raise self._interrupt

    def abandon(self, reason: str) -> None:
        """The waiting side itself was interrupted or cancelled."""
        self._give_up_rest(partial(self._unwanted, reason))

    def _give_up_rest(self, outcome_of: Callable[[Attempt], Outcome[Any]]) -> None:
        """All at once: a worker that one gives up must not start the next before that is given up too."""
        with self._lock:
            self._over = True
            given_up = [attempt for attempt in self.attempts if attempt.outcome is None]
            for attempt in given_up:
                self._claim_unreturned(attempt, outcome_of(attempt))
        for attempt in given_up:
            self._let_go(attempt)

    def _unwanted(self, reason: str, attempt: Attempt) -> Outcome[Any]:
        return Outcome(Status.CANCELLED, None, StrategyCancelled(attempt.name, reason), attempt.elapsed())

    def _overdue(self, attempt: Attempt) -> Outcome[Any]:
        if attempt.started is None:
            reason = f"not started within the {self.terms.timeout:g} s of its round"
        else:
            reason = f"not back within the {self.terms.timeout:g} s of its round"
        return Outcome(Status.TIMED_OUT, None, StrategyTimedOut(attempt.name, reason), attempt.elapsed())

    def _time_out_strategies(self, now: float) -> bool:
        overdue = False
        for attempt in self._timed:
            limit, started = attempt.strategy.timeout, attempt.started
            if limit is None or started is None or attempt.outcome is not None or now < started + limit:
                continue
            error = StrategyTimedOut(attempt.name, f"not back within its {limit:g} s")
            self._give_up(attempt, Outcome(Status.TIMED_OUT, None, error, now - started))
            overdue = True
        return overdue

    def _next_timeout(self, now: float) -> float:
        """A strategy that has not started yet cannot time out before a start right now would."""
        following = math.inf
        for attempt in self._timed:
            if attempt.outcome is None and attempt.strategy.timeout is not None:
                began = now if attempt.started is None else attempt.started
                following = min(following, began + attempt.strategy.timeout)
        return following

    def _give_up(self, attempt: Attempt, outcome: Outcome[Any]) -> None:
        with self._lock:
            if attempt.outcome is not None:
                return
            self._claim_unreturned(attempt, outcome)
        self._let_go(attempt)

    def _claim_unreturned(self, attempt: Attempt, outcome: Outcome[Any]) -> None:
        attempt.outcome = outcome
        if attempt.taken:
            self.places.stragglers.left_behind(attempt)

    def _let_go(self, attempt: Attempt) -> None:
        attempt.stop()
        if attempt.taken:
            self.places.stragglers.release_worker(attempt)
        if self.defers_verdicts:
            self._owed.append(attempt.settle)
        else:
            attempt.settle()

    def _launch_due(self, now: float) -> bool:
        refused = False
        while now >= self._next_launch():
            due = len(self.attempts) if self.mode.delay is None else 1
            batch = self.attempts[self._launched : self._launched + due]
            self._launched += len(batch)
            self._last_launch = now
            for attempt, reason in self.launch(batch):
                self._refuse(attempt, reason)
                refused = True
        return refused

    def _refuse(self, attempt: Attempt, reason: str) -> None:
        outcome: Outcome[Any] = Outcome(Status.REJECTED, None, StrategyRejected(attempt.name, reason))
        self.claim(attempt, outcome)  # nobody else knows of an attempt that was not launched
        attempt.settle()

    def _next_launch(self) -> float:
        waiting = len(self.attempts) - self._launched
        if waiting == 0:
            return math.inf
        with self._lock:
            if self._is_decided():
                return math.inf
            if self.mode.delay is None or self._unsettled == waiting:
                return -math.inf
            return self._last_launch + self.mode.delay

    def take_owed(self) -> list[Callable[[], None]]:
        """Verdicts on what was given up, for the waiting side to give in a thread."""
        owed, self._owed = self._owed, []
        return owed

    def outcomes(self) -> dict[str, Outcome[Any]]:
        return {attempt.name: attempt.outcome for attempt in self.attempts if attempt.outcome is not None}

    def forget(self) -> None:
        """Attempts know their round; were it to know them for ever, both would outlive their use."""
        self.attempts = self._timed = []
