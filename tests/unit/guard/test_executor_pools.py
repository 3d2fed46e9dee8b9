"""Strategies on somebody else's pool: any `concurrent.futures.Executor`."""

import contextvars
import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from drivers.executor_driver import (
    PATIENCE,
    Strategies,
    crash_once,
    double,
    gate,
    rounds_on,
    running,
    statuses,
    until,
    wait_for_file,
)
from racehound.guard import CircuitBreaker, ParallelStrategyExecutor
from racehound.guard.executor import Mode, Strategy
from racehound.guard.executor.remote import Errand

TESTS = Path(__file__).parents[2]


def processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


def rounds_on_processes() -> Any:
    with processes() as pool:
        return rounds_on(pool)


def rounds_on_loky() -> Any:
    pytest.importorskip("loky", reason="loky is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "drivers.loky_rounds"], cwd=TESTS, capture_output=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.usefixtures("uncollected")
@pytest.mark.slow
@pytest.mark.parametrize("rounds", [rounds_on_processes, rounds_on_loky], ids=["processes", "loky"])
def test_plain_strategies_run_in_other_processes_and_coroutines_here(rounds: Callable[[], Any]) -> None:
    came_to = rounds()

    assert came_to["first"] == {"double": "ok", "bad": "failed", "where": "ok", "later": "ok"}
    assert came_to["values"] == [8, 8]
    assert came_to["error"] == "ValueError"
    assert came_to["elsewhere"]
    assert came_to["third"]["bad"] == "skipped"


@pytest.mark.usefixtures("uncollected")
@pytest.mark.slow
def test_a_crash_of_a_worker_process_is_a_failure_and_the_pool_is_made_again(tmp_path: Path) -> None:
    strategies: Strategies = {"crash or not": Strategy(crash_once), "good": double}
    breaker = CircuitBreaker(failure_threshold=10)
    with ParallelStrategyExecutor(strategies, 1, breaker=breaker, executor=one_process) as executor:
        first = executor.run(str(tmp_path / "crashed"), timeout=PATIENCE)
        second = executor.run(str(tmp_path / "crashed"), timeout=PATIENCE)

    assert isinstance(first["crash or not"].error, BrokenExecutor)
    assert statuses(second) == {"crash or not": "ok", "good": "ok"}
    assert breaker.failures("crash or not") == 0


def one_process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


@pytest.mark.usefixtures("uncollected")
@pytest.mark.slow
def test_a_hang_in_another_process_is_given_up_and_reported(tmp_path: Path) -> None:
    release = tmp_path / "release"
    with one_process() as pool, ParallelStrategyExecutor({"hang": wait_for_file}, 1, executor=pool) as executor:
        assert statuses(executor.run(str(tmp_path), timeout=PATIENCE)) == {"hang": "ok"}
        outcomes = executor.run(str(release), timeout=0.2)
        stuck = executor.run(str(release), timeout=PATIENCE)
        names = [straggler.strategy for straggler in executor.stragglers()]
        release.touch()
        until(lambda: not executor.stragglers())
        until(lambda: not executor._places._remote._overdue)  # type: ignore[union-attr]  # there is one
        again = executor.run(str(release), timeout=PATIENCE)

    assert statuses(outcomes) == {"hang": "timed_out"}
    assert names == ["hang"]
    assert statuses(stuck) == {"hang": "rejected"}
    assert "every worker of its pool" in str(stuck["hang"].error)
    assert statuses(again) == {"hang": "ok"}


class ManualPool(Executor):
    """Runs nothing by itself: what was submitted waits to be run by hand."""

    made: "list[ManualPool]" = []  # noqa: RUF012 - emptied by the fixture

    def __init__(self) -> None:
        self.submitted: list[tuple[Future[Any], Callable[..., Any]]] = []
        self.closed = False
        self.error: Exception | None = None
        self.arrived = threading.Semaphore(0)
        ManualPool.made.append(self)

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        if self.error is not None:
            raise self.error
        future: Future[Any] = Future()
        self.submitted.append((future, partial(call, *args, **kwargs)))
        self.arrived.release()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT002 - as its base has it
        self.closed = True

    def start_next(self) -> "Future[Any]":
        assert self.arrived.acquire(timeout=PATIENCE)
        future, _ = self.submitted[-1]
        future.set_running_or_notify_cancel()
        return future


@pytest.fixture(autouse=True)
def _no_pools_yet() -> None:
    ManualPool.made.clear()


def test_what_waits_in_a_foreign_queue_is_cancelled_there() -> None:
    pool = ManualPool()
    with ParallelStrategyExecutor({"a": double}, executor=pool) as executor:
        assert statuses(executor.run(1, timeout=0.02)) == {"a": "timed_out"}
        until(lambda: not executor.stragglers())

    assert pool.submitted[0][0].cancelled()


def test_a_hanging_pool_is_replaced_if_it_can_be_made_again() -> None:
    pool = ManualPool()
    pools = [pool]
    with ParallelStrategyExecutor(
        {"a": double}, 1, executor=lambda: pools.pop() if pools else ManualPool()
    ) as executor:
        with running(lambda: executor.run(1, timeout=0.3)) as result:
            hung = pool.start_next()
            assert statuses(result()) == {"a": "timed_out"}
        assert statuses(executor.run(1, timeout=0.02)) == {"a": "timed_out"}
        assert [made.closed for made in ManualPool.made] == [True, False]
        hung.set_result(None)
        until(lambda: not executor.stragglers())

    assert [made.closed for made in ManualPool.made] == [True, True]


def test_the_pool_of_somebody_else_is_left_open() -> None:
    pool = ManualPool()
    with ParallelStrategyExecutor({"a": double}, executor=pool):
        pass

    assert not pool.closed


def test_a_pool_that_takes_no_more_work_rejects_without_blame() -> None:
    breaker = CircuitBreaker(failure_threshold=1)
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with ParallelStrategyExecutor({"a": double}, breaker=breaker, executor=pool) as executor:
        outcome = executor.run(1)["a"]

    assert outcome.status == "rejected"
    assert isinstance(outcome.error, Exception)
    assert isinstance(outcome.error.__cause__, RuntimeError)
    assert breaker.failures("a") == 0


def test_a_broken_pool_is_a_failure_if_it_was_given_and_replaced_if_it_was_made() -> None:
    pool = ManualPool()
    pool.error = BrokenExecutor("broken")
    with ParallelStrategyExecutor({"a": double}, executor=pool) as executor:
        assert isinstance(executor.run(1)["a"].error, BrokenExecutor)
    assert not pool.closed

    def make() -> ManualPool:
        made = ManualPool()
        made.error = BrokenExecutor("broken") if len(ManualPool.made) == 2 else None
        return made

    with ParallelStrategyExecutor({"a": double}, executor=make) as executor:
        executor.run(1, timeout=0.05)

    assert [len(pool.submitted) for pool in ManualPool.made] == [0, 0, 1]
    assert [pool.closed for pool in ManualPool.made] == [False, True, True]


def test_context_variables_reach_the_threads_of_a_foreign_pool() -> None:
    variable = contextvars.ContextVar("variable", default="unset")
    variable.set("caller")
    with (
        ThreadPoolExecutor(1) as pool,
        ParallelStrategyExecutor({"a": lambda _: variable.get()}, executor=pool) as executor,
    ):
        assert executor.run(1)["a"].value == "caller"


def test_a_late_recall_of_a_replaced_pool_holds_nothing() -> None:
    remote = ParallelStrategyExecutor({"a": double}, executor=ManualPool)._places._remote
    assert remote is not None
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    remote._recall(ManualPool(), future)

    assert remote._overdue == set()
    future.set_result(None)


def test_only_the_strategy_travels() -> None:
    errand = Errand(double, (4,))
    travelled = pickle.loads(pickle.dumps(errand))  # noqa: S301 - our own bytes

    assert errand() == 8
    assert type(travelled) is partial
    assert travelled() == 8
    assert b"racehound.guard" not in pickle.dumps(errand)


def test_modes_and_deadlines_hold_on_a_foreign_pool() -> None:
    with gate() as slow, ThreadPoolExecutor(2) as pool:
        strategies: Strategies = {"slow": slow, "fast": double}
        with ParallelStrategyExecutor(strategies, executor=pool, mode=Mode.FIRST_SUCCESS) as executor:
            assert statuses(executor.run(1, timeout=PATIENCE)) == {"slow": "cancelled", "fast": "ok"}
            slow.open()


class KillablePool(ManualPool):
    killed = False

    def kill_workers(self) -> None:
        self.killed = True


def test_a_pool_that_can_kill_its_workers_does_so_when_it_is_dismissed() -> None:
    pool = KillablePool()
    with ParallelStrategyExecutor({"a": double}, executor=lambda: pool) as executor:
        executor.run(1, timeout=0.02)

    assert pool.killed
