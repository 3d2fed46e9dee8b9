"""Feeding and judging the window of a circuit.

A fine call is appended without a lock and only then looks at `period.dirty`. Trouble is published as
`troubled` before the window is judged. So either the fine call sees the trouble and judges again, or the
judgement sees the fine call: no crossing of a rate stays unnoticed.
"""

from racehound.guard.breaker.keeper import LocalKeeper
from racehound.guard.breaker.period import Admission, Period
from racehound.guard.breaker.settings import Settings, Window
from racehound.guard.breaker.transitions import COUNTING
from racehound.guard.breaker.window import FAILED, FAILED_SLOWLY, FINE, SLOW, Outcomes, Tally

KIND = {(False, False): FINE, (True, False): FAILED, (False, True): SLOW, (True, True): FAILED_SLOWLY}


def is_slow(settings: Settings, seconds: float) -> bool:
    window = settings.window
    return window is not None and window.slow_seconds is not None and seconds > window.slow_seconds


def note(keeper: LocalKeeper, admission: Admission, *, failed: bool, slow: bool) -> None:
    """Write the outcome into the window of the period that admitted the call, if that still runs."""
    if keeper.settings.window is None:
        return
    outcome = KIND[failed, slow]

    def noted(period: Period, now: float) -> tuple[Period, None]:
        outcomes = _window_of(period, admission)
        if outcomes is None:
            return period, None
        outcomes.add(outcome, now)
        return (period if outcome == FINE else period.but(troubled=True)), None

    keeper.change(noted)


def review(keeper: LocalKeeper, admission: Admission, window: Window) -> bool:
    """Whether the rates of the running period exceed what the window allows."""

    def reviewed(period: Period, now: float) -> tuple[Period, bool]:
        outcomes = _window_of(period, admission)
        if outcomes is None:
            return period, False
        tally = outcomes.tally(now)
        current = period.but(troubled=False) if period.troubled and tally.is_fine else period
        return current, tally.exceeds(window)

    return keeper.change(reviewed).result


def tallied(period: Period, now: float) -> tuple[Period, Tally]:
    return period, period.outcomes.tally(now)


def _window_of(period: Period, admission: Admission) -> Outcomes | None:
    return period.outcomes if period.version == admission.version and period.state in COUNTING else None
