"""Which verdict a search allows, and that many identical workers stay few cases."""

import threading

import pytest

from racehound import explore
from racehound.errors import UsageError


class Counter:
    def __init__(self) -> None:
        self.value = 0
        self.lock = threading.Lock()
        self.filled = threading.Condition()

    def increment(self) -> int:
        self.value += 1
        return self.value

    def safe(self) -> int:
        with self.lock:
            self.value += 1
            return self.value

    def wait(self) -> None:
        with self.filled:
            while not self.value:
                self.filled.wait()

    def fill(self) -> None:
        with self.filled:
            self.value = 1
            self.filled.notify_all()

    def fill_and_wake_one(self) -> None:
        with self.filled:
            self.value = 1
            self.filled.notify()


@pytest.mark.parametrize("strategy", ["pos", "urw", "pct", "random-walk"])
def test_sampling_finds_a_race_but_never_says_safe(strategy: str) -> None:
    racy = explore(setup=Counter, workers=[Counter.increment] * 2, strategy=strategy, seed=1)
    sound = explore(setup=Counter, workers=[Counter.safe] * 2, strategy=strategy, budget=0.05)

    assert (racy.verdict, sound.verdict) == ("race", "sampled")


@pytest.mark.parametrize("strategy", ["portfolio", "dpor", "dfs", "preemption-bound"])
@pytest.mark.usefixtures("unmeasured")
def test_exhausted_search_says_safe_whatever_its_name(strategy: str) -> None:
    result = explore(setup=Counter, workers=[Counter.safe] * 2, strategy=strategy)

    assert result.verdict == "safe"


@pytest.mark.slow
@pytest.mark.usefixtures("unmeasured")
def test_bound_is_part_of_the_verdict() -> None:
    result = explore(setup=Counter, workers=[Counter.safe] * 4, strategy="preemption-bound", budget=2)

    assert result.verdict == "bounded", result.describe()
    assert "every interleaving with at most" in result.proof.reason
    with pytest.raises(AssertionError):
        result.assert_safe()


def test_simplest_race_is_found_first() -> None:
    result = explore(setup=Counter, workers=[Counter.increment] * 2, strategy="preemption-bound")

    assert result.verdict == "race"
    assert sum(step.switch for step in result.timeline) <= 2


def test_unknown_strategy_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no strategy magic"):
        explore(setup=Counter, workers=[Counter.safe], strategy="magic")


def test_ten_identical_workers_are_proven_without_an_invariant() -> None:
    result = explore(setup=Counter, workers=[Counter.safe] * 10)

    assert (result.verdict, result.executions) == ("safe", 1)


def test_race_among_ten_identical_workers_is_found_without_an_invariant() -> None:
    result = explore(setup=Counter, workers=[Counter.increment] * 10)

    assert result.verdict == "race"
    assert result.executions <= 3


@pytest.mark.usefixtures("unmeasured")
def test_many_waiters_may_wait_in_every_order() -> None:
    result = explore(setup=Counter, workers=[*[Counter.wait] * 6, Counter.fill], budget=3)

    assert result.verdict in {"safe", "sampled"}, result.describe()


def test_waiter_that_nobody_wakes_is_found_among_many() -> None:
    result = explore(setup=Counter, workers=[*[Counter.wait] * 6, Counter.fill_and_wake_one], budget=20)

    assert result.verdict == "race"
    assert "nobody will notify" in str(result.failure)


def test_too_many_different_workers_need_an_invariant() -> None:
    workers = [lambda counter, number=number: setattr(counter, "value", number) for number in range(8)]

    result = explore(setup=Counter, workers=workers)

    assert result.verdict == "inconclusive"
    assert "too many to compare with" in result.proof.reason
