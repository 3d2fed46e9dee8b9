"""What the breaker is asked and told, and when."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from drivers.executor_driver import double, fail, gate, running, statuses, until
from racehound.guard import CircuitBreaker, CircuitOpen, ParallelStrategyExecutor
from racehound.guard.executor import Limits, Mode, Strategy


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_strategy_whose_circuit_is_open_is_skipped_and_not_called(*, asynchronous: bool) -> None:
    called: list[int] = []

    async def call_later(number: int) -> None:
        called.append(number)

    breaker = CircuitBreaker(failure_threshold=1, open_seconds=30.0)
    breaker.record_failure("off")
    off: Callable[[int], Any] = call_later if asynchronous else called.append
    with ParallelStrategyExecutor({"off": off, "on": double}, breaker=breaker) as executor:
        outcomes = executor.run(4)

    assert statuses(outcomes) == {"off": "skipped", "on": "ok"}
    assert isinstance(outcomes["off"].error, CircuitOpen)
    assert outcomes["off"].error.retry_after > 0
    assert outcomes["off"].duration == 0.0
    assert called == []


def test_failures_open_the_circuit_of_the_failing_strategy_alone() -> None:
    breaker = CircuitBreaker(failure_threshold=3)
    with ParallelStrategyExecutor({"bad": fail, "good": double}, breaker=breaker) as executor:
        seen = [statuses(executor.run(1))["bad"] for _ in range(5)]

    assert seen == ["failed", "failed", "failed", "skipped", "skipped"]
    assert not breaker.is_open("good")


def test_a_caller_that_sees_an_outcome_finds_it_in_the_breaker() -> None:
    breaker = CircuitBreaker(failure_threshold=10**6)
    with ParallelStrategyExecutor({"a": fail, "b": fail}, breaker=breaker) as executor:
        for count in range(1, 101):
            executor.run(1)
            assert (breaker.failures("a"), breaker.failures("b")) == (count, count)


def test_a_success_ends_the_streak_of_failures() -> None:
    breaker = CircuitBreaker(failure_threshold=3)
    breaker.record_failure("a")
    with ParallelStrategyExecutor({"a": double}, breaker=breaker) as executor:
        executor.run(1)

    assert breaker.failures("a") == 0


def test_a_timeout_counts_as_a_failure_even_if_such_errors_are_ignored() -> None:
    breaker = CircuitBreaker(failure_threshold=5, ignore=(TimeoutError,))
    with gate() as hanging, ParallelStrategyExecutor({"hang": hanging}, breaker=breaker) as executor:
        assert statuses(executor.run(1, timeout=0.02)) == {"hang": "timed_out"}
        assert breaker.failures("hang") == 1
        hanging.open()


def test_the_late_result_of_a_timeout_is_ignored() -> None:
    breaker = CircuitBreaker(failure_threshold=5)
    with gate() as hanging, ParallelStrategyExecutor({"hang": hanging}, breaker=breaker) as executor:
        outcomes = executor.run(1, timeout=0.02)
        hanging.open()
        until(lambda: executor.statistics()["hang"]["late"] == 1)

    assert statuses(outcomes) == {"hang": "timed_out"}
    assert breaker.failures("hang") == 1


def test_a_timed_out_probe_opens_the_circuit_again_and_its_late_success_does_not_close_it() -> None:
    clock = Clock()
    breaker = CircuitBreaker(failure_threshold=1, open_seconds=10.0, clock=clock)
    breaker.record_failure("hang")
    clock.now = 11.0
    with gate() as hanging, ParallelStrategyExecutor({"hang": hanging}, breaker=breaker) as executor:
        assert statuses(executor.run(1, timeout=0.02)) == {"hang": "timed_out"}
        assert breaker.is_open("hang")
        hanging.open()
        until(lambda: not executor.stragglers())
        assert breaker.is_open("hang")


def test_the_permit_is_taken_when_the_strategy_starts_not_when_it_is_queued() -> None:
    """The only probe of a half-open circuit must not grow old in the queue."""
    clock = Clock()
    breaker = CircuitBreaker(failure_threshold=1, open_seconds=10.0, half_open_probes=1, clock=clock)
    breaker.record_failure("probe")
    clock.now = 11.0
    with (
        gate() as first,
        ParallelStrategyExecutor({"first": first, "probe": double}, 1, breaker=breaker) as executor,
    ):
        with running(lambda: executor.run(1)) as result:
            first.wait_for_arrival()
            while_queued = breaker.allow("probe")
            assert while_queued is not None
            while_queued.cancel()
            first.open()
            assert statuses(result()) == {"first": "ok", "probe": "ok"}
        assert not breaker.is_open("probe")


def test_a_cancelled_probe_gives_its_permit_back() -> None:
    clock = Clock()
    breaker = CircuitBreaker(failure_threshold=1, open_seconds=10.0, half_open_probes=1, clock=clock)
    breaker.record_failure("slow")
    clock.now = 11.0
    with gate() as slow:
        fast = Strategy(lambda n: (slow.wait_for_arrival(), n))
        with ParallelStrategyExecutor({"slow": slow, "fast": fast}, breaker=breaker) as executor:
            assert statuses(executor.run(1, mode=Mode.FIRST_SUCCESS)) == {"slow": "cancelled", "fast": "ok"}
            again = breaker.allow("slow")
            slow.open()

    assert again is not None


def test_one_of_many_simultaneous_rounds_gets_the_probe() -> None:
    clock = Clock()
    breaker = CircuitBreaker(failure_threshold=1, open_seconds=10.0, half_open_probes=1, clock=clock)
    breaker.record_failure("probe")
    clock.now = 11.0
    rounds = 16
    with gate() as hanging, ParallelStrategyExecutor({"probe": hanging}, rounds, breaker=breaker) as executor:
        seen: list[str] = []
        threads = [
            threading.Thread(target=lambda: seen.append(statuses(executor.run(1))["probe"])) for _ in range(rounds)
        ]
        for thread in threads:
            thread.start()
        until(lambda: len(seen) == rounds - 1)
        hanging.open()
        for thread in threads:
            thread.join()

    assert sorted(seen) == ["ok", *["skipped"] * (rounds - 1)]


def test_the_settings_of_the_breaker_decide_what_is_a_failure() -> None:
    breaker = CircuitBreaker(failure_threshold=5, ignore=(ValueError,), failure_result=lambda value: value == 2)
    with ParallelStrategyExecutor({"ignored": fail, "poor": double}, breaker=breaker) as executor:
        outcomes = executor.run(1)

    assert statuses(outcomes) == {"ignored": "failed", "poor": "ok"}
    assert breaker.failures("ignored") == 0
    assert breaker.failures("poor") == 1


def test_a_rejected_strategy_says_nothing_about_itself() -> None:
    breaker = CircuitBreaker(failure_threshold=1)
    limits = Limits(queue=0)
    with (
        gate() as first,
        ParallelStrategyExecutor({"a": first}, 1, breaker=breaker, limits=limits) as executor,
        running(lambda: executor.run(1)) as result,
    ):
        first.wait_for_arrival()
        assert statuses(executor.run(2)) == {"a": "rejected"}
        first.open()
        assert statuses(result()) == {"a": "ok"}

    assert breaker.failures("a") == 0


def test_a_deadline_in_the_queue_says_nothing_about_the_strategy() -> None:
    breaker = CircuitBreaker(failure_threshold=1)
    with (
        gate() as first,
        ParallelStrategyExecutor({"first": first, "second": double}, 1, breaker=breaker) as executor,
    ):
        outcomes = executor.run(1, timeout=0.02)
        first.open()

    assert statuses(outcomes) == {"first": "timed_out", "second": "timed_out"}
    assert "not started" in str(outcomes["second"].error)
    assert outcomes["second"].duration == 0.0
    assert (breaker.failures("first"), breaker.failures("second")) == (1, 0)


class SlowCircuit:
    """Admits after a while; counts what it is told."""

    def __init__(self, admission: Callable[[], object]) -> None:
        self._admission = admission
        self.given_back = threading.Semaphore(0)
        self.told: list[str] = []

    def circuit(self, _: str) -> "SlowCircuit":
        return self

    def try_admit(self) -> object:
        return self._admission()

    def refusal(self) -> Exception:
        return RuntimeError("nobody is admitted")

    def end_with_result(self, *_: object) -> None:
        self.told.append("result")

    def end_with_error(self, *_: object) -> None:
        self.told.append("error")

    def fail(self, *_: object) -> None:
        self.told.append("failure")

    def cancel(self, _: object) -> None:
        self.told.append("cancel")
        self.given_back.release()


def test_a_permit_that_comes_after_the_deadline_is_given_back() -> None:
    with gate() as asking:
        breaker = SlowCircuit(asking)
        with ParallelStrategyExecutor({"a": double}, breaker=breaker) as executor:
            assert statuses(executor.run(1, timeout=0.02)) == {"a": "timed_out"}
            assert [found.strategy for found in executor.stragglers()] == ["a"]
            asking.open()
            assert breaker.given_back.acquire(timeout=20)
            until(lambda: not executor.stragglers())

    assert breaker.told == ["cancel"]


def test_a_breaker_that_raises_concerns_its_strategy_alone() -> None:
    def broken() -> object:
        raise OSError("no store")

    with ParallelStrategyExecutor({"a": double}, breaker=SlowCircuit(broken)) as executor:
        outcome = executor.run(1)["a"]

    assert outcome.status == "failed"
    assert isinstance(outcome.error, OSError)


def test_a_breaker_that_refuses_is_asked_for_the_reason() -> None:
    with ParallelStrategyExecutor({"a": double}, breaker=SlowCircuit(lambda: None)) as executor:
        outcome = executor.run(1)["a"]

    assert outcome.status == "skipped"
    assert str(outcome.error) == "nobody is admitted"


def test_a_breaker_that_raises_at_the_verdict_neither_loses_the_outcome_nor_the_worker(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Deaf(SlowCircuit):
        def end_with_result(self, *_: object) -> None:
            raise OSError("no store")

    with ParallelStrategyExecutor({"a": double}, 1, breaker=Deaf(object)) as executor:
        assert [executor.run(number)["a"].value for number in range(3)] == [0, 2, 4]

    assert "could not record" in caplog.text
