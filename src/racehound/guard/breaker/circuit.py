"""One circuit: asks its keeper for changes, judges the ends of calls, announces what happened."""

from racehound.guard.breaker.errors import CircuitOpen
from racehound.guard.breaker.events import Announcer, EventKind
from racehound.guard.breaker.keeper import Change, Keeper
from racehound.guard.breaker.period import Admission, Period, State
from racehound.guard.breaker.rates import is_slow, note, review, tallied
from racehound.guard.breaker.snapshot import Snapshot
from racehound.guard.breaker.transitions import (
    Moment,
    admitted,
    cancelled,
    forced,
    is_stale,
    recorded_success,
    succeeded,
    tripped,
)
from racehound.guard.breaker.verdict import Verdict, describe, is_failure_result, judge_error


class Circuit:
    """The life of one name. Nothing here holds a lock: the keeper does, for the length of a transition."""

    __slots__ = ("_announcer", "clock", "keeper", "name", "settings")

    def __init__(self, keeper: Keeper, announcer: Announcer) -> None:
        self.name = keeper.local.name
        self.keeper = keeper
        self.settings = keeper.local.settings
        self.clock = keeper.local.clock
        self._announcer = announcer

    def try_admit(self) -> Admission | None:
        period = self.keeper.current()
        if not period.gated:
            return period
        if self._wait(period) > 0:
            self._announcer.send(EventKind.REFUSED, self.name, period)
            return None
        settings = self.settings
        change = self.keeper.change(lambda period, now: admitted(period, Moment(now), settings))
        if change.result is None:
            self._announcer.send(EventKind.REFUSED, self.name, change.period)
        return change.result

    def admit(self) -> Admission:
        admission = self.try_admit()
        if admission is None:
            raise self.refusal()
        return admission

    def refusal(self) -> CircuitOpen:
        period = self.keeper.period
        return CircuitOpen(self.name, self._wait(period), period.last_failure)

    def end_with_result(self, admission: Admission, result: object, seconds: float) -> None:
        if is_failure_result(self.settings, result):
            self.fail(admission, result, seconds)
        else:
            self.succeed(admission, seconds)

    def end_with_error(self, admission: Admission, error: BaseException, seconds: float = 0.0) -> None:
        match judge_error(self.settings, error):
            case Verdict.FAILURE:
                self.fail(admission, error, seconds)
            case Verdict.SUCCESS:
                self.succeed(admission, seconds)
            case Verdict.NONE:
                self.cancel(admission)

    def succeed(self, admission: Admission, seconds: float = 0.0) -> None:
        note(self.keeper.local, admission, failed=False, slow=is_slow(self.settings, seconds))
        self.settle(admission)

    def settle(self, admission: Admission) -> None:
        """A success that the window already knows of: end the streak of failures, judge the rates."""
        settings = self.settings
        if admission.token is not None or self.keeper.period.failures or settings.report_successes:
            change = self.keeper.change(
                lambda period, _: (succeeded(period, admission, settings), not is_stale(period, admission))
            )
            self._announce(EventKind.SUCCESS, change)
        self._judge_rates(admission)

    def fail(self, admission: Admission, error: object = None, seconds: float = 0.0) -> None:
        moment = Moment(draw=self._draw(), failure=describe(error))
        note(self.keeper.local, admission, failed=True, slow=is_slow(self.settings, seconds))
        self._announce(EventKind.FAILURE, self.keeper.fail(admission, moment))
        self._judge_rates(admission)

    def cancel(self, admission: Admission) -> None:
        if admission.token is None:
            return
        change = self.keeper.change(
            lambda period, _: (cancelled(period, admission), not is_stale(period, admission))
        )
        self._announce(EventKind.CANCELLED, change)

    def record_failure(self, error: object = None) -> None:
        moment = Moment(draw=self._draw(), failure=describe(error))
        admission = self.keeper.current()
        note(self.keeper.local, admission, failed=True, slow=False)
        self._announce(EventKind.FAILURE, self.keeper.record_failure(moment))
        self._judge_rates(admission)

    def record_success(self) -> None:
        admission = self.keeper.current()
        note(self.keeper.local, admission, failed=False, slow=False)
        if admission.gated or admission.failures or self.settings.report_successes:
            self._announce(EventKind.SUCCESS, self.keeper.change(self._recording_success))
        self._judge_rates(admission)

    def is_open(self) -> bool:
        return self._wait(self.keeper.current()) > 0

    def force(self, state: State) -> None:
        self.keeper.change(lambda period, _: (forced(period, state), None))

    def snapshot(self) -> Snapshot:
        self.keeper.current()
        period, tally = self.keeper.local.change(tallied)
        return Snapshot(
            name=self.name,
            state=period.state,
            version=period.version,
            failures=period.failures,
            retry_after=self._wait(period),
            last_failure=period.last_failure,
            calls_in_window=tally.calls,
            failure_rate=tally.failure_rate,
            slow_rate=tally.slow_rate,
        )

    def _recording_success(self, period: Period, now: float) -> tuple[Period, bool]:
        after = recorded_success(period, Moment(now), self.settings)
        return after, after is not period or not period.gated

    def _wait(self, period: Period) -> float:
        """Seconds until the period may admit a call; 0 where it may now."""
        if not period.gated:
            return 0.0
        if period.state is State.FORCED_OPEN:
            return self.settings.open_seconds
        now = self.clock()
        return max(0.0, period.free_at(now, self.settings.half_open_probes) - now)

    def _draw(self) -> float:
        if not self.settings.jitter:
            return 0.5
        from random import random  # noqa: PLC0415 - five milliseconds that only jitter costs

        return random()  # noqa: S311 - spreads load, guards no secret

    def _judge_rates(self, admission: Admission) -> None:
        window = self.settings.window
        if window is None or not review(self.keeper.local, admission, window):
            return
        settings = self.settings
        moment = Moment(draw=self._draw())
        self.keeper.change(
            lambda period, now: (
                period if is_stale(period, admission) else tripped(period, moment.at(now), settings),
                None,
            )
        )

    def _announce(self, verdict: EventKind, change: Change[bool]) -> None:
        kind = verdict if change.result else EventKind.STALE
        self._announcer.send(kind, self.name, change.period, change.period.last_failure)
