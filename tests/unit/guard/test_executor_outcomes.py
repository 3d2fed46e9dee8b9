import asyncio
import pickle
from collections.abc import Callable
from concurrent.futures import CancelledError
from functools import partial
from typing import NoReturn

import pytest

from drivers.executor_driver import Strategies, double, double_later, fail, gate, statuses
from racehound.guard import Outcome, ParallelStrategyExecutor
from racehound.guard.executor import (
    Limits,
    Mode,
    Status,
    Strategy,
    StrategyCancelled,
    StrategyRejected,
    StrategyTimedOut,
    StrategyUnfinished,
)


def raise_it(error: BaseException) -> NoReturn:
    raise error


def test_a_strategy_that_returns_is_ok_and_has_its_value() -> None:
    with ParallelStrategyExecutor({"double": double}) as executor:
        outcome = executor.run(21)["double"]

    assert (outcome.status, outcome.value, outcome.error) == (Status.OK, 42, None)
    assert outcome.ok
    assert outcome.unwrap() == 42
    assert outcome.duration > 0


def test_a_strategy_that_raises_is_failed_and_has_its_error_with_the_traceback() -> None:
    with ParallelStrategyExecutor({"fail": fail}) as executor:
        outcome = executor.run(7)["fail"]

    assert (outcome.status, outcome.value) == (Status.FAILED, None)
    assert repr(outcome.error) == "ValueError(7)"
    assert outcome.error is not None
    assert outcome.error.__traceback__ is not None
    with pytest.raises(ValueError, match="7"):
        outcome.unwrap()


def test_one_failure_leaves_the_others_alone() -> None:
    strategies: Strategies = {"bad": fail, "good": double, "worse": fail, "better": double}
    with ParallelStrategyExecutor(strategies, max_workers=1) as executor:
        outcomes = executor.run(1)

    assert statuses(outcomes) == {"bad": "failed", "good": "ok", "worse": "failed", "better": "ok"}


def test_outcomes_come_in_the_order_of_the_strategies_however_they_end() -> None:
    with gate() as last, gate() as middle:
        strategies: Strategies = {
            "z": lambda n: (middle.wait_for_departure(), last.open(), last(n)),
            "a": middle,
            "m": lambda n: (middle.open(), n),
        }
        with ParallelStrategyExecutor(strategies) as executor:
            assert list(executor.run(1, timeout=20)) == ["z", "a", "m"]


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), RecursionError(), MemoryError()], ids=repr)
def test_no_error_of_a_strategy_leaves_its_round(error: BaseException) -> None:
    with ParallelStrategyExecutor({"bad": raise_it, "good": repr}) as executor:
        outcomes = executor.run(error)

    assert statuses(outcomes) == {"bad": "failed", "good": "ok"}
    assert outcomes["bad"].error is error


@pytest.mark.parametrize(
    "error", [CancelledError(), asyncio.CancelledError(), StrategyCancelled("x", "y")], ids=repr
)
def test_a_strategy_that_says_it_was_cancelled_is_cancelled(error: BaseException) -> None:
    with ParallelStrategyExecutor({"gone": raise_it}) as executor:
        assert statuses(executor.run(error)) == {"gone": "cancelled"}


def test_an_interrupt_in_a_strategy_ends_the_round_and_is_raised() -> None:
    with gate() as hanging:
        strategies: Strategies = {
            "hang": hanging,
            "stop": lambda _: raise_it(KeyboardInterrupt()),
        }
        with ParallelStrategyExecutor(strategies) as executor:
            with pytest.raises(KeyboardInterrupt):
                executor.run(1)
            hanging.open()
            assert executor.statistics()["hang"]["cancelled"] == 1


def test_several_arguments_and_none_are_handed_on() -> None:
    with ParallelStrategyExecutor({"max": max}) as executor:
        assert executor.run(1, 5, 3)["max"].value == 5
    with ParallelStrategyExecutor({"list": list}) as executor:
        assert executor.run()["list"].value == []


def test_without_strategies_there_is_nothing_to_wait_for() -> None:
    with ParallelStrategyExecutor({}) as executor:
        assert executor.run(1) == {}


def test_a_plain_function_that_returns_a_coroutine_says_what_to_change() -> None:
    hidden = lambda number: double_later(number)  # noqa: E731, PLW0108 - a lambda hides the coroutine function
    with ParallelStrategyExecutor({"hidden": hidden}) as executor:
        outcome = executor.run(1)["hidden"]
    with ParallelStrategyExecutor({"told": Strategy(hidden, asynchronous=True)}) as executor:
        told = executor.run(1)["told"]

    assert outcome.status == "failed"
    assert "asynchronous=True" in str(outcome.error)
    assert told.value == 2


def test_coroutine_functions_are_recognised_in_all_their_forms() -> None:
    class Callable:
        async def __call__(self, number: int) -> int:
            return number

    assert Strategy(double_later).asynchronous
    assert Strategy(partial(double_later, 1)).asynchronous
    assert Strategy(Callable()).asynchronous
    assert not Strategy(double).asynchronous


def test_outcomes_and_errors_survive_a_trip_to_another_process() -> None:
    error = StrategyTimedOut("slow", "not back")
    outcome = Outcome(Status.TIMED_OUT, None, error, 0.5)
    copy = pickle.loads(pickle.dumps(outcome))  # noqa: S301 - our own bytes

    assert copy[:2] == outcome[:2]
    assert copy.duration == 0.5
    assert (copy.error.strategy, copy.error.reason) == ("slow", "not back")
    assert str(copy.error) == "slow: not back"


@pytest.mark.parametrize("kind", [StrategyTimedOut, StrategyCancelled, StrategyRejected])
def test_what_has_no_result_shares_one_error(kind: type[StrategyUnfinished]) -> None:
    assert isinstance(kind("name", "reason"), StrategyUnfinished)
    assert issubclass(StrategyTimedOut, TimeoutError)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: ParallelStrategyExecutor({}, max_workers=0), "max_workers"),
        (lambda: ParallelStrategyExecutor({"a": double}, mode=Mode.quorum(2)), "cannot succeed 2 times"),
        (lambda: ParallelStrategyExecutor({"a": double}).run(1, mode=Mode.quorum(2)), "cannot succeed 2 times"),
        (lambda: ParallelStrategyExecutor({"a": double}).run(1, timeout=-1), "timeout"),
        (lambda: ParallelStrategyExecutor({"a": double}).run(1, timeout=float("nan")), "timeout"),
        (lambda: Mode.quorum(0), "one success or more"),
        (lambda: Mode.hedged(-1), "zero seconds or more"),
        (lambda: Limits(timeout=-1), "timeout"),
        (lambda: Limits(queue=-1), "queue"),
        (lambda: Limits(shutdown=-1), "shutdown"),
        (lambda: Limits(stragglers=0), "stragglers"),
        (lambda: Strategy(double, timeout=-1), "timeout"),
    ],
)
def test_a_senseless_setting_is_refused_with_its_name(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make()


def test_what_cannot_be_called_is_no_strategy() -> None:
    with pytest.raises(TypeError, match="cannot be"):
        ParallelStrategyExecutor({"a": 3})  # type: ignore[dict-item]  # that is the point
