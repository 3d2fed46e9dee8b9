"""Coroutine functions beside plain ones, waited for with `run` or with `await arun`."""

import asyncio
import contextvars
import re
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from drivers.executor_driver import (
    PATIENCE,
    Gate,
    Strategies,
    double,
    double_later,
    fail,
    gate,
    running,
    statuses,
    until,
)
from racehound.guard import CircuitBreaker, Outcome, ParallelStrategyExecutor, SqliteBreakerStore
from racehound.guard.executor import Mode, Strategy, cancellation
from racehound.guard.executor.loops import LoopThread

Run = Callable[..., dict[str, Outcome[Any]]]


async def fail_later(number: int) -> int:
    raise ValueError(number)


async def hang(_: int) -> None:
    await asyncio.Event().wait()


def in_a_thread(executor: ParallelStrategyExecutor) -> Run:
    return executor.run


def on_a_loop(executor: ParallelStrategyExecutor) -> Run:
    def run(*args: object, **options: Any) -> dict[str, Outcome[Any]]:
        return asyncio.run(executor.arun(*args, **options))

    return run


both_ways = pytest.mark.parametrize("way", [in_a_thread, on_a_loop])
Way = Callable[[ParallelStrategyExecutor], Run]


@both_ways
def test_functions_and_coroutine_functions_share_one_interface(way: Way) -> None:
    strategies: Strategies = {
        "plain": double,
        "later": double_later,
        "bad": fail,
        "bad later": fail_later,
    }
    with ParallelStrategyExecutor(strategies) as executor:
        outcomes = way(executor)(4, timeout=PATIENCE)

    assert statuses(outcomes) == {"plain": "ok", "later": "ok", "bad": "failed", "bad later": "failed"}
    assert outcomes["plain"].value == outcomes["later"].value == 8
    assert isinstance(outcomes["bad later"].error, ValueError)


@both_ways
def test_a_coroutine_past_its_deadline_is_cancelled_for_good(way: Way) -> None:
    ended = threading.Event()

    async def hang_and_tell(_: int) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    breaker = CircuitBreaker(failure_threshold=5)
    strategies: Strategies = {"hang": Strategy(hang_and_tell, timeout=0.02), "good": double_later}
    with ParallelStrategyExecutor(strategies, breaker=breaker) as executor:
        outcomes = way(executor)(1)
        assert ended.wait(PATIENCE)
        until(lambda: not executor.stragglers())

    assert statuses(outcomes) == {"hang": "timed_out", "good": "ok"}
    assert breaker.failures("hang") == 1


@both_ways
def test_the_overall_deadline_holds_for_both_kinds(way: Way) -> None:
    with gate() as hanging, ParallelStrategyExecutor({"plain": hanging, "later": hang}) as executor:
        assert statuses(way(executor)(1, timeout=0.05)) == {"plain": "timed_out", "later": "timed_out"}
        hanging.open()


@both_ways
def test_the_first_success_cancels_coroutines(way: Way) -> None:
    with ParallelStrategyExecutor({"hang": hang, "good": double_later}, mode=Mode.FIRST_SUCCESS) as executor:
        assert statuses(way(executor)(1)) == {"hang": "cancelled", "good": "ok"}


@both_ways
def test_hedges_can_be_coroutines(way: Way) -> None:
    with ParallelStrategyExecutor({"hang": hang, "hedge": double_later}, mode=Mode.hedged(0.02)) as executor:
        assert statuses(way(executor)(1)) == {"hang": "cancelled", "hedge": "ok"}


@both_ways
def test_context_variables_reach_coroutines_and_do_not_leak_back(way: Way) -> None:
    variable = contextvars.ContextVar("variable", default="unset")

    async def read_and_write(_: int) -> str:
        seen = variable.get()
        variable.set("changed")
        return seen

    token = variable.set("caller")
    with ParallelStrategyExecutor({"a": read_and_write, "b": read_and_write}) as executor:
        outcomes = way(executor)(1)

    assert [outcome.value for outcome in outcomes.values()] == ["caller", "caller"]
    assert variable.get() == "caller"
    variable.reset(token)


@both_ways
def test_a_cancelled_coroutine_that_goes_on_is_a_straggler_until_it_ends(way: Way) -> None:
    stubborn_until = threading.Event()

    async def stubborn(_: int) -> None:
        while not stubborn_until.is_set():
            try:
                await asyncio.sleep(0.005)
            except asyncio.CancelledError:
                assert cancellation().requested

    async def observe() -> None:
        executor.run(1, timeout=0.02) if way is in_a_thread else await executor.arun(1, timeout=0.02)
        (straggler,) = executor.stragglers()
        stubborn_until.set()
        await asyncio.to_thread(until, lambda: not executor.stragglers())
        assert re.search(r"test_executor_async\.py:\d+ in stubborn$", straggler.where)

    with ParallelStrategyExecutor({"stubborn": stubborn}) as executor:
        asyncio.run(observe())


def test_coroutines_of_an_awaited_round_run_on_the_loop_of_the_caller() -> None:
    async def loop_of(_: int) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    async def main() -> bool:
        return (await executor.arun(1))["loop"].value is asyncio.get_running_loop()

    with ParallelStrategyExecutor({"loop": loop_of}) as executor:
        assert asyncio.run(main())
        assert executor.run(1)["loop"].value is executor.run(1)["loop"].value


def test_the_loop_of_the_caller_goes_on_while_plain_strategies_run() -> None:
    async def main() -> dict[str, str]:
        round_under_way = asyncio.ensure_future(executor.arun(1))
        await asyncio.to_thread(hanging.wait_for_arrival)
        hanging.open()
        return statuses(await round_under_way)

    with gate() as hanging, ParallelStrategyExecutor({"plain": hanging}) as executor:
        assert asyncio.run(main()) == {"plain": "ok"}


def test_cancelling_the_waiting_task_cancels_the_round_and_gives_the_permits_back() -> None:
    breaker = CircuitBreaker(failure_threshold=1)
    ended = threading.Event()

    async def hang_and_tell(_: int) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def main() -> None:
        round_under_way = asyncio.ensure_future(executor.arun(1))
        await started.wait()
        round_under_way.cancel()
        with pytest.raises(asyncio.CancelledError):
            await round_under_way

    started = asyncio.Event()
    with ParallelStrategyExecutor({"hang": hang_and_tell}, breaker=breaker) as executor:
        asyncio.run(main())
        assert ended.wait(PATIENCE)
        assert executor.statistics()["hang"]["cancelled"] == 1

    assert not breaker.is_open("hang")


def test_many_rounds_at_once_on_one_loop() -> None:
    async def main() -> list[dict[str, Outcome[Any]]]:
        return await asyncio.gather(*(executor.arun(number) for number in range(50)))

    with ParallelStrategyExecutor({"plain": double, "later": double_later}) as executor:
        rounds = asyncio.run(main())

    assert [(outcomes["plain"].value, outcomes["later"].value) for outcomes in rounds] == [
        (2 * number, 2 * number) for number in range(50)
    ]


def test_a_coroutine_that_blocks_the_loop_cannot_starve_the_next_round() -> None:
    async def block(number: int) -> int:
        return hanging(number) if number == 0 else number

    with gate() as hanging, ParallelStrategyExecutor({"block": block}) as executor:
        assert statuses(executor.run(0, timeout=0.05)) == {"block": "timed_out"}
        assert [found.strategy for found in executor.stragglers()] == ["block"]
        assert statuses(executor.run(1, timeout=PATIENCE)) == {"block": "ok"}
        hanging.open()
        until(lambda: not executor.stragglers())


def test_a_blocked_loop_leaves_once_it_has_answered() -> None:
    async def block(number: int) -> int:
        return hanging(number) if number == 0 else number

    before = set(threading.enumerate())
    with gate() as hanging, ParallelStrategyExecutor({"block": block}) as executor:
        executor.run(0, timeout=0.05)
        (blocked,) = set(threading.enumerate()) - before
        executor.run(1)
        hanging.open()
        blocked.join(PATIENCE)
        assert not blocked.is_alive()


def test_a_coroutine_behind_a_blocked_loop_times_out_without_having_started() -> None:
    async def block(number: int) -> int:
        return hanging(number) if number == 0 else number

    breaker = CircuitBreaker(failure_threshold=1)
    with (
        gate() as hanging,
        ParallelStrategyExecutor({"block": block}, breaker=breaker) as executor,
        running(lambda: executor.run(0)) as result,
    ):
        hanging.wait_for_arrival()
        outcome = executor.run(1, timeout=0.05)["block"]
        hanging.open()
        assert statuses(result()) == {"block": "ok"}

    assert "not started" in str(outcome.error)
    assert breaker.failures("block") == 0


def test_cancelling_on_a_loop_that_has_ended_does_nothing() -> None:
    async def noop() -> None:
        return

    thread = LoopThread("ended")
    thread.start()
    thread.retire()
    thread.join(PATIENCE)
    loop = asyncio.new_event_loop()
    task = loop.create_task(noop())
    thread._cancel(task)
    loop.run_until_complete(task)
    loop.close()

    assert thread.is_responsive
    assert not task.cancelled()


def test_an_asynchronous_generator_left_behind_is_closed_with_the_loop() -> None:
    closed = threading.Event()
    kept: list[AsyncIterator[int]] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            closed.set()

    async def first(_: int) -> int:
        kept.append(numbers())
        return await anext(kept[0])

    with ParallelStrategyExecutor({"first": first}) as executor:
        assert executor.run(1)["first"].value == 1
    assert closed.is_set()


def test_the_executor_is_an_asynchronous_context_manager() -> None:
    async def main() -> dict[str, str]:
        async with ParallelStrategyExecutor({"later": double_later}) as executor:
            return statuses(await executor.arun(1))

    assert asyncio.run(main()) == {"later": "ok"}


@both_ways
def test_an_exit_in_a_coroutine_does_not_end_the_loop(way: Way) -> None:
    async def leave(_: int) -> None:
        raise SystemExit(3)

    with ParallelStrategyExecutor({"leave": leave, "good": double_later}) as executor:
        assert statuses(way(executor)(1)) == {"leave": "failed", "good": "ok"}
        assert statuses(way(executor)(1)) == {"leave": "failed", "good": "ok"}


class Watched(SqliteBreakerStore):
    """Notes the threads that it is used from."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.threads: set[str] = set()

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_") and name != "threads":
            self.threads.add(threading.current_thread().name)
        return super().__getattribute__(name)


@both_ways
def test_a_store_is_never_waited_for_on_an_event_loop(way: Way, tmp_path: Path) -> None:
    store = Watched(tmp_path / "breakers")
    breaker = CircuitBreaker(failure_threshold=3, store=store)
    strategies: Strategies = {
        "good": double_later,
        "bad": fail_later,
        "hang": Strategy(hang, timeout=0.05),
    }
    with ParallelStrategyExecutor(strategies, breaker=breaker) as executor:
        breaker.circuit("good")
        store.threads.clear()
        seen = statuses(way(executor)(1))
        used = store.threads - ({"MainThread"} if way is in_a_thread else set())
    failures = (breaker.failures("bad"), breaker.failures("hang"))
    store.close()
    loops = {name for name in used if name == "MainThread" or name.endswith("-loop")}

    assert seen == {"good": "ok", "bad": "failed", "hang": "timed_out"}
    assert failures == (1, 1)
    assert used
    assert loops == set()


def test_a_task_cancelled_while_a_store_is_asked_gives_its_permit_back(tmp_path: Path) -> None:
    asking = Gate()

    class Slow(SqliteBreakerStore):
        def __getattribute__(self, name: str) -> Any:
            if not name.startswith("_") and threading.current_thread() is not threading.main_thread():
                asking(0)
            return super().__getattribute__(name)

    async def main() -> None:
        round_under_way = asyncio.ensure_future(executor.arun(1))
        await asyncio.to_thread(asking.wait_for_arrival)
        round_under_way.cancel()
        asking.open()
        with pytest.raises(asyncio.CancelledError):
            await round_under_way

    called: list[int] = []

    def note(number: int) -> Awaitable[None]:
        called.append(number)
        return hang(number)

    with closing(Slow(tmp_path / "breakers")) as store:
        breaker = CircuitBreaker(failure_threshold=3, store=store)
        with ParallelStrategyExecutor({"a": Strategy(note, asynchronous=True)}, breaker=breaker) as executor:
            asyncio.run(main())
        assert breaker.failures("a") == 0

    assert called == []
