"""Rates of failures and slow calls over the last calls or the last seconds."""

from typing import Any

import pytest

from drivers.breaker import Broken, Clock, together
from racehound.guard import CircuitBreaker, CircuitOpen, Window
from racehound.guard.breaker import State
from racehound.guard.breaker.window import FAILED, FAILED_SLOWLY, FINE, SLOW, LastCalls, LastSeconds, Tally

NAME = "backend"


class Backend:
    """A guarded call that fails and takes time as told."""

    def __init__(self, window: Window, **options: int) -> None:
        self.clock = Clock()
        self.breaker = CircuitBreaker(window=window, clock=self.clock, **options)  # type: ignore[arg-type]
        self._call = self.breaker.guard(NAME)(self._work)

    def call(self, *, fails: bool = False, seconds: float = 0.0) -> None:
        try:
            self._call(fails, seconds)
        except Broken:
            assert fails

    def _work(self, fails: bool, seconds: float) -> None:
        self.clock.advance(seconds)
        if fails:
            raise Broken

    @property
    def is_open(self) -> bool:
        return self.breaker.is_open(NAME)


def test_the_failure_rate_over_the_last_calls_opens_the_circuit() -> None:
    backend = Backend(Window(calls=10, minimum_calls=4, failure_rate=0.5))
    for fails in (True, False, False, True):
        assert not backend.is_open
        backend.call(fails=fails)

    assert backend.is_open


def test_nothing_is_judged_before_the_minimum_of_calls() -> None:
    backend = Backend(Window(calls=10, minimum_calls=5))
    for _ in range(4):
        backend.call(fails=True)

    assert not backend.is_open


@pytest.mark.parametrize(
    "window",
    [Window(calls=10, minimum_calls=5, failure_rate=0.4), Window(seconds=10.0, minimum_calls=5, failure_rate=0.4)],
    ids=["calls", "seconds"],
)
def test_a_success_that_completes_the_minimum_is_judged_too(window: Window) -> None:
    backend = Backend(window)
    for fails in (True, True, False, False):
        backend.call(fails=fails)
    assert not backend.is_open

    backend.call()

    assert backend.is_open
    with pytest.raises(CircuitOpen):
        backend.call()


def test_old_calls_leave_the_window() -> None:
    backend = Backend(Window(calls=4, minimum_calls=4, failure_rate=0.5))
    backend.call(fails=True)
    for _ in range(4):
        backend.call()
    backend.call(fails=True)

    assert not backend.is_open
    assert backend.breaker.snapshot(NAME).failure_rate == 0.25


def test_a_window_without_trouble_lets_calls_go_the_short_way_again() -> None:
    backend = Backend(Window(calls=4, minimum_calls=4, failure_rate=1.0))
    backend.call(fails=True)
    assert backend.breaker.circuit(NAME).keeper.period.dirty

    for _ in range(4):
        backend.call()

    assert not backend.breaker.circuit(NAME).keeper.period.dirty


def test_a_streak_does_not_open_the_circuit_unless_asked_to() -> None:
    window = Window(calls=100, minimum_calls=100)
    patient, strict = Backend(window), Backend(window, failure_threshold=2)
    for backend in (patient, strict):
        backend.call(fails=True)
        backend.call(fails=True)

    assert (patient.is_open, strict.is_open) == (False, True)


def test_slow_calls_open_the_circuit() -> None:
    backend = Backend(Window(calls=10, minimum_calls=2, failure_rate=None, slow_rate=0.5, slow_seconds=1.0))
    backend.call(seconds=1.0)
    backend.call(seconds=1.5)

    assert backend.is_open
    assert backend.breaker.failures(NAME) == 0


def test_a_probe_after_slow_calls_closes_the_circuit() -> None:
    backend = Backend(Window(calls=10, minimum_calls=2, slow_rate=0.5, slow_seconds=1.0))
    backend.call(seconds=1.5)
    backend.call(seconds=1.5)
    backend.clock.advance(30.0)

    backend.call()

    assert backend.breaker.snapshot(NAME).state is State.CLOSED


def test_a_slow_failure_is_both() -> None:
    backend = Backend(Window(calls=10, minimum_calls=5, slow_rate=0.9, slow_seconds=1.0))
    backend.call(fails=True, seconds=2.0)
    backend.call()

    shot = backend.breaker.snapshot(NAME)
    assert (shot.calls_in_window, shot.failure_rate, shot.slow_rate) == (2, 0.5, 0.5)


def test_the_failure_rate_over_the_last_seconds_opens_the_circuit() -> None:
    backend = Backend(Window(seconds=60.0, minimum_calls=4, failure_rate=0.5))
    for fails in (False, False, True, True):
        backend.clock.advance(10.0)
        backend.call(fails=fails)

    assert backend.is_open


def test_what_is_older_than_the_window_does_not_count() -> None:
    backend = Backend(Window(seconds=60.0, minimum_calls=4, failure_rate=0.5))
    for _ in range(3):
        backend.call(fails=True)
    backend.clock.advance(67.0)
    backend.call(fails=True)

    assert not backend.is_open
    assert backend.breaker.snapshot(NAME).calls_in_window == 1


def test_the_rate_rises_when_old_successes_leave() -> None:
    backend = Backend(Window(seconds=60.0, minimum_calls=4, failure_rate=0.5))
    for _ in range(4):
        backend.call()
    backend.clock.advance(30.0)
    for _ in range(3):
        backend.call(fails=True)
    assert not backend.is_open
    backend.clock.advance(37.0)

    backend.call()

    assert backend.is_open


def test_in_half_open_the_window_rests_and_starts_empty_after_closing() -> None:
    backend = Backend(Window(calls=10, minimum_calls=2, failure_rate=0.5))
    backend.call(fails=True)
    backend.call(fails=True)
    backend.clock.advance(30.0)
    backend.call()

    assert backend.breaker.snapshot(NAME).calls_in_window == 0


def test_records_by_name_feed_the_window() -> None:
    backend = Backend(Window(calls=10, minimum_calls=3, failure_rate=0.6))
    backend.breaker.record_success(NAME)
    backend.breaker.record_failure(NAME)
    assert not backend.is_open

    backend.breaker.record_failure(NAME)

    assert backend.is_open


def test_a_disabled_circuit_feeds_no_window() -> None:
    backend = Backend(Window(calls=10, minimum_calls=2))
    backend.breaker.disable(NAME)
    backend.call(fails=True)

    assert backend.breaker.snapshot(NAME).calls_in_window == 0


def test_a_stale_call_does_not_reach_the_window_of_the_next_period() -> None:
    backend = Backend(Window(calls=10, minimum_calls=5))
    permit = backend.breaker.allow(NAME)
    assert permit is not None
    backend.breaker.reset(NAME)
    permit.failure()

    assert backend.breaker.snapshot(NAME).calls_in_window == 0


def test_no_outcome_of_concurrent_calls_is_lost() -> None:
    backend = Backend(Window(calls=10_000, minimum_calls=10_000))

    def work() -> None:
        for number in range(200):
            backend.call(fails=number % 10 == 0)

    together(*[work] * 8)

    shot = backend.breaker.snapshot(NAME)
    assert (shot.calls_in_window, shot.failure_rate) == (1600, 0.1)


def test_functions_without_parameters_are_measured_alike() -> None:
    clock = Clock()
    window = Window(calls=10, minimum_calls=2, slow_rate=1.0, slow_seconds=1.0, failure_rate=0.5)
    breaker = CircuitBreaker(window=window, clock=clock)
    slow = breaker.guard("slow")(lambda: clock.advance(2.0))
    fine = breaker.guard("fine")(lambda: "answer")

    slow()
    slow()
    assert [fine() for _ in range(3)] == ["answer"] * 3

    with pytest.raises(CircuitOpen):
        slow()
    assert breaker.snapshot("fine").calls_in_window == 3


@pytest.mark.parametrize("outcomes", [LastCalls(9), LastSeconds(60.0, 0.0)], ids=["calls", "seconds"])
def test_outcomes_are_tallied_by_kind(outcomes: LastCalls | LastSeconds) -> None:
    assert outcomes.tally(0.0) == Tally()
    for outcome in (FINE, FINE, FINE, FAILED, SLOW, SLOW, FAILED_SLOWLY):
        outcomes.add(outcome, 1.0)

    assert outcomes.tally(1.0) == Tally(calls=7, failures=2, slow=3)


def test_an_empty_tally_has_rates_of_nothing() -> None:
    assert (Tally().failure_rate, Tally().slow_rate) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"calls": 0}, "calls must be at least 1"),
        ({"seconds": 0.0}, "seconds must be positive"),
        ({"minimum_calls": 0}, "minimum_calls must be at least 1"),
        ({"calls": 5, "minimum_calls": 6}, "minimum_calls must not exceed calls"),
        ({"failure_rate": 0.0}, "a rate must be above 0"),
        ({"slow_rate": 1.5, "slow_seconds": 1.0}, "at most 1"),
        ({"slow_rate": 0.5}, "go together"),
    ],
)
def test_a_window_that_makes_no_sense_is_refused(options: dict[str, float], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Window(**options)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("name", ["text", "argument", "period", "keeper", "result", "self"])
def test_the_one_argument_of_a_measured_function_is_given_by_position_or_by_its_own_name(name: str) -> None:
    found: dict[str, Any] = {}
    exec(f"def double({name}):\n    return 2 * {name}", found)  # noqa: S102 - a function with a parameter of any name
    breaker = CircuitBreaker(window=Window(seconds=60.0, minimum_calls=1, failure_rate=1.0))
    double = breaker.guard("a")(found["double"])

    assert (double(4), double(**{name: 5})) == (8, 10)
    with pytest.raises(TypeError, match=rf"double\(\) missing 1 required positional argument: '{name}'"):
        double()
    assert (breaker.failures("a"), breaker.snapshot("a").calls_in_window) == (0, 2)


def test_a_measured_function_of_one_argument_is_judged_like_any_other() -> None:
    clock = Clock()
    window = Window(minimum_calls=2, failure_rate=None, slow_rate=1.0, slow_seconds=1.0)
    breaker = CircuitBreaker(window=window, clock=clock)

    @breaker.guard("a")
    def lasting(seconds: float) -> None:
        clock.advance(seconds)
        if seconds > 5:
            raise ValueError(seconds)

    lasting(2.0)
    assert not breaker.is_open("a")
    with pytest.raises(ValueError, match="9"):
        lasting(9.0)
    assert breaker.is_open("a")
    with pytest.raises(CircuitOpen):
        lasting(0.0)


def test_a_window_over_time_is_exact_at_its_edge() -> None:
    backend = Backend(Window(seconds=10.0, minimum_calls=4, failure_rate=0.5))
    for _ in range(3):
        backend.call(fails=True)
    backend.clock.advance(9.9)
    assert backend.breaker.snapshot(NAME).calls_in_window == 3
    backend.clock.advance(0.1)
    backend.call(fails=True)
    assert not backend.is_open
    assert backend.breaker.snapshot(NAME).calls_in_window == 1


def test_fine_calls_leave_a_window_over_time_without_any_failure_too() -> None:
    clock = Clock()
    breaker = CircuitBreaker(window=Window(seconds=10.0), clock=clock)
    call = breaker.guard(NAME)(lambda: clock.advance(0.5))
    for _ in range(100):
        call()
    window = breaker.circuit(NAME).keeper.period.outcomes
    assert isinstance(window, LastSeconds)

    assert sum(len(ends) for ends in window._ends) <= 21
