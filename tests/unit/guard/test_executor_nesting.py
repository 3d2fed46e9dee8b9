"""Rounds within strategies: of the same executor, of two that call each other, at any depth."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from drivers.executor_driver import PATIENCE, Strategies, gate, statuses, until
from racehound.guard import ParallelStrategyExecutor
from racehound.guard.executor import Mode

Executor = ParallelStrategyExecutor


def descend(executor: Callable[[], Executor], depth: int) -> int:
    """The number of strategies below this one, found by running them all."""
    if depth == 0:
        return 1
    outcomes = executor().run(depth - 1, timeout=PATIENCE)
    return sum(outcome.unwrap() for outcome in outcomes.values())


def family(**options: Any) -> Executor:
    found: list[Executor] = []
    strategies: Strategies = {name: lambda depth: descend(lambda: found[0], depth) for name in ("left", "right")}
    found.append(ParallelStrategyExecutor(strategies, **options))
    return found[0]


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_rounds_within_rounds_do_not_deadlock_however_few_the_workers(workers: int) -> None:
    with family(max_workers=workers) as executor:
        outcomes = executor.run(4, timeout=PATIENCE)

    assert [outcome.value for outcome in outcomes.values()] == [16, 16]


def test_the_pool_shrinks_again_after_nested_rounds() -> None:
    with family(max_workers=1) as executor:
        executor.run(3, timeout=PATIENCE)
        executor.run(0)
        until(lambda: len(executor._places._pool._workers) == 1)


def test_executors_that_call_each_other_do_not_deadlock() -> None:
    first: Executor = ParallelStrategyExecutor({"to second": lambda depth: descend(lambda: second, depth)}, 1)
    second: Executor = ParallelStrategyExecutor({"to first": lambda depth: descend(lambda: first, depth)}, 1)
    with first, second:
        assert first.run(6, timeout=PATIENCE)["to second"].value == 1


def test_awaited_rounds_within_plain_strategies_do_not_deadlock() -> None:
    def descend_awaiting(depth: int) -> int:
        if depth == 0:
            return 1
        outcomes = asyncio.run(executor.arun(depth - 1, timeout=PATIENCE))
        return sum(outcome.unwrap() for outcome in outcomes.values())

    with ParallelStrategyExecutor({"a": descend_awaiting, "b": descend_awaiting}, 1) as executor:
        assert executor.run(2, timeout=PATIENCE)["a"].value == 4


def test_awaited_rounds_within_coroutines_do_not_deadlock() -> None:
    async def descend_awaiting(depth: int) -> int:
        if depth == 0:
            return 1
        outcomes = await executor.arun(depth - 1, timeout=PATIENCE)
        return sum(outcome.unwrap() for outcome in outcomes.values())

    with ParallelStrategyExecutor({"a": descend_awaiting, "b": descend_awaiting}) as executor:
        assert executor.run(2, timeout=PATIENCE)["a"].value == 4
        assert asyncio.run(executor.arun(2, timeout=PATIENCE))["b"].value == 4


def test_a_coroutine_that_waits_for_a_round_without_awaiting_it_does_not_deadlock() -> None:
    async def blocking(depth: int) -> int:
        return descend(lambda: executor, depth)

    with ParallelStrategyExecutor({"blocking": blocking}) as executor:
        assert executor.run(2, timeout=PATIENCE)["blocking"].value == 1


def test_a_blocked_loop_is_avoided_by_rounds_further_down() -> None:
    """The coroutine blocks its loop; the plain strategy that it waits for starts a coroutine again."""

    def plain(depth: int) -> int:
        if depth == 1:
            return descend_once(depth)
        raise LookupError(depth)

    async def later(depth: int) -> int:
        return descend_once(depth) if depth == 2 else depth

    def descend_once(depth: int) -> int:
        outcomes = executor.run(depth - 1, timeout=PATIENCE)
        value: int = next(outcome.unwrap() for outcome in outcomes.values() if outcome.ok)
        return value + 1

    with ParallelStrategyExecutor({"plain": plain, "later": later}, mode=Mode.hedged(60)) as executor:
        assert executor.run(2, timeout=PATIENCE)["later"].value == 2


def test_a_coroutine_may_wait_for_a_round_in_a_thread() -> None:
    async def aside(depth: int) -> int:
        return await asyncio.to_thread(descend, lambda: executor, depth)

    with ParallelStrategyExecutor({"aside": aside}) as executor:
        assert executor.run(2, timeout=PATIENCE)["aside"].value == 1


def test_rounds_within_strategies_of_a_foreign_pool_do_not_deadlock_it() -> None:
    with ThreadPoolExecutor(1) as pool, family(max_workers=1, executor=pool) as executor:
        assert executor.run(3, timeout=PATIENCE)["left"].value == 8


def test_a_deadline_holds_in_nested_rounds() -> None:
    def nested(depth: int) -> Any:
        return statuses(executor.run(depth - 1, timeout=0.02)) if depth else hanging(0)

    with gate() as hanging, ParallelStrategyExecutor({"nested": nested}, 1) as executor:
        assert executor.run(1, timeout=PATIENCE)["nested"].value == {"nested": "timed_out"}
        hanging.open()


def test_a_foreign_pool_is_kept_free_across_executors() -> None:
    """The first executor's only foreign worker waits for the second, whose strategy calls the first again."""
    with ThreadPoolExecutor(1) as pool:
        first = ParallelStrategyExecutor({"a": lambda depth: descend(lambda: second, depth)}, 1, executor=pool)
        second = ParallelStrategyExecutor({"b": lambda depth: descend(lambda: first, depth)}, 1)
        with first, second:
            assert first.run(4, timeout=PATIENCE)["a"].value == 1
