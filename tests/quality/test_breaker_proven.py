"""The breaker before racehound's own prover: safe, every interleaving tried, none sampled."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

from racehound import explore
from racehound.guard import CircuitBreaker

pytestmark = pytest.mark.usefixtures("unmeasured")

NAME = "backend"
Worker = Callable[[Any], object]


class Hours:
    """A clock that stands still unless moved by hand."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def closed() -> CircuitBreaker:
    """One failure below the threshold."""
    breaker = CircuitBreaker(failure_threshold=2, clock=Hours())
    breaker.record_failure(NAME)
    return breaker


def probing() -> CircuitBreaker:
    """Open, and its open time is over."""
    hours = Hours()
    breaker = CircuitBreaker(failure_threshold=1, open_seconds=30.0, clock=hours)
    breaker.record_failure(NAME)
    hours.now = 30.0
    return breaker


def unlocked() -> CircuitBreaker:
    """What the breaker would be without its lock."""
    breaker = closed()
    keeper: Any = breaker.circuit(NAME).keeper
    keeper._lock = nullcontext()
    return breaker


def unused() -> CircuitBreaker:
    return CircuitBreaker(clock=Hours())


def fail(breaker: Any) -> None:
    breaker.record_failure(NAME)


def succeed(breaker: Any) -> None:
    breaker.record_success(NAME)


def reset(breaker: Any) -> None:
    breaker.reset(NAME)


def is_open(breaker: Any) -> bool:
    return bool(breaker.is_open(NAME))


def is_admitted(breaker: Any) -> bool:
    return breaker.allow(NAME) is not None


def probe_fails(breaker: Any) -> None:
    permit = breaker.allow(NAME)
    if permit is not None:
        permit.failure()


def find(breaker: Any) -> int:
    return id(breaker.circuit(NAME))


@pytest.mark.parametrize(
    ("setup", "workers"),
    [
        (closed, [fail, fail]),
        (closed, [fail, succeed]),
        (closed, [fail, reset]),
        (closed, [is_open, fail]),
        (closed, [succeed, reset]),
        (probing, [is_admitted, is_admitted]),
        (probing, [probe_fails, is_admitted]),
        (probing, [is_open, is_admitted]),
    ],
    ids=lambda part: "_and_".join(worker.__name__ for worker in part) if isinstance(part, list) else part.__name__,
)
def test_every_interleaving_has_the_outcome_of_a_serial_order(
    setup: Callable[[], CircuitBreaker], workers: list[Worker]
) -> None:
    explore(setup=setup, workers=workers).assert_safe()


def test_prover_sees_what_the_lock_of_the_breaker_is_for() -> None:
    assert explore(setup=unlocked, workers=[fail, fail]).verdict != "safe"


def test_two_failures_are_always_two() -> None:
    def holds(breaker: Any) -> bool:
        return bool(breaker.failures(NAME) == 2)

    explore(setup=unused, workers=[fail, fail], invariant=holds).assert_safe()


def test_exactly_one_of_two_callers_probes() -> None:
    admitted: list[bool] = []

    def setup() -> CircuitBreaker:
        admitted.clear()
        return probing()

    def ask(breaker: Any) -> None:
        admitted.append(is_admitted(breaker))

    explore(setup=setup, workers=[ask, ask], invariant=lambda _: sum(admitted) == 1).assert_safe()


def test_two_who_ask_first_get_the_same_circuit() -> None:
    found: list[int] = []

    def setup() -> CircuitBreaker:
        found.clear()
        return unused()

    def ask(breaker: Any) -> None:
        found.append(find(breaker))

    explore(setup=setup, workers=[ask, ask], invariant=lambda _: len(set(found)) == 1).assert_safe()
