import pytest

from drivers.executor_driver import Strategies, double, fail, gate, statuses, until
from racehound.guard import CircuitBreaker, ParallelStrategyExecutor
from racehound.guard.executor import Mode


def test_the_first_success_decides_and_the_rest_is_cancelled() -> None:
    with gate() as slow, ParallelStrategyExecutor({"slow": slow, "bad": fail, "fast": double}) as executor:
        outcomes = executor.run(1, mode=Mode.FIRST_SUCCESS)
        slow.open()

    assert statuses(outcomes) in (
        {"slow": "cancelled", "bad": "failed", "fast": "ok"},
        {"slow": "cancelled", "bad": "cancelled", "fast": "ok"},
    )
    assert "decided without it" in str(outcomes["slow"].error)


def test_without_any_success_every_failure_is_told() -> None:
    with ParallelStrategyExecutor({"a": fail, "b": fail}, mode=Mode.FIRST_SUCCESS) as executor:
        assert statuses(executor.run(1)) == {"a": "failed", "b": "failed"}


def test_what_waits_in_the_queue_is_not_started_after_the_decision() -> None:
    started: list[int] = []
    with gate() as slow:
        strategies: Strategies = {"fast": double, "slow": slow, "queued": started.append}
        with ParallelStrategyExecutor(strategies, 1, mode=Mode.FIRST_SUCCESS) as executor:
            slow.open()
            executor.run(1)
            before = len(started)
            executor.run(1, mode=Mode.ALL)

    assert len(started) == before + 1


def test_a_quorum_is_reached_by_so_many_successes() -> None:
    quorum = Mode.quorum(2)
    with (
        gate() as slow,
        ParallelStrategyExecutor({"a": double, "slow": slow, "b": double}, mode=quorum) as executor,
    ):
        outcomes = executor.run(1)
        slow.open()

    assert statuses(outcomes) == {"a": "ok", "slow": "cancelled", "b": "ok"}


def test_a_quorum_that_has_become_impossible_ends_the_round() -> None:
    quorum = Mode.quorum(2)
    with gate() as slow, ParallelStrategyExecutor({"a": fail, "slow": slow, "b": fail}, mode=quorum) as executor:
        outcomes = executor.run(1)
        slow.open()

    assert statuses(outcomes) == {"a": "failed", "slow": "cancelled", "b": "failed"}


def test_a_hedge_is_not_started_while_the_first_is_quick() -> None:
    started: list[int] = []
    with ParallelStrategyExecutor({"quick": double, "hedge": started.append}, mode=Mode.hedged(60)) as executor:
        outcomes = executor.run(1)

    assert statuses(outcomes) == {"quick": "ok", "hedge": "cancelled"}
    assert started == []


def test_a_hedge_backs_up_a_slow_strategy_after_the_delay() -> None:
    with gate() as slow:
        strategies: Strategies = {"slow": slow, "hedge": double, "never": double}
        with ParallelStrategyExecutor(strategies, mode=Mode.hedged(0.02)) as executor:
            outcomes = executor.run(1)
            slow.open()

    assert (outcomes["slow"].status, outcomes["hedge"].value) == ("cancelled", 2)
    assert outcomes["slow"].duration > 0  # since it began, which may be after the round did


def test_a_failure_or_an_open_circuit_starts_the_next_at_once() -> None:
    breaker = CircuitBreaker(failure_threshold=1)
    breaker.record_failure("off")
    strategies: Strategies = {"bad": fail, "off": double, "good": double}
    with ParallelStrategyExecutor(strategies, breaker=breaker, mode=Mode.hedged(60)) as executor:
        assert statuses(executor.run(1, timeout=20)) == {"bad": "failed", "off": "skipped", "good": "ok"}


def test_hedges_that_all_fail_end_the_round() -> None:
    with ParallelStrategyExecutor({"a": fail, "b": fail}, mode=Mode.hedged(60)) as executor:
        assert statuses(executor.run(1, timeout=20)) == {"a": "failed", "b": "failed"}


def test_hedging_can_wait_for_a_quorum() -> None:
    with ParallelStrategyExecutor({"a": double, "b": double, "c": double}) as executor:
        outcomes = executor.run(1, mode=Mode(successes=2, delay=60), timeout=20)

    assert statuses(outcomes) == {"a": "ok", "b": "ok", "c": "cancelled"}


def test_the_loser_of_a_round_says_nothing_to_the_breaker() -> None:
    breaker = CircuitBreaker(failure_threshold=1)
    with gate() as slow, ParallelStrategyExecutor({"slow": slow, "fast": double}, breaker=breaker) as executor:
        executor.run(1, mode=Mode.FIRST_SUCCESS)
        slow.open()
        until(lambda: not executor.stragglers())

    assert not breaker.is_open("slow")
    assert breaker.failures("slow") == 0


@pytest.mark.parametrize(
    ("mode", "succeeded", "unsettled", "decided"),
    [
        (Mode.ALL, 3, 1, False),
        (Mode.ALL, 0, 0, True),
        (Mode.FIRST_SUCCESS, 0, 1, False),
        (Mode.FIRST_SUCCESS, 1, 5, True),
        (Mode.quorum(3), 2, 1, False),
        (Mode.quorum(3), 1, 1, True),
        (Mode.quorum(3), 3, 1, True),
    ],
)
def test_when_a_round_is_decided(mode: Mode, succeeded: int, unsettled: int, *, decided: bool) -> None:
    assert mode.is_decided(succeeded=succeeded, unsettled=unsettled) is decided
