"""Ends: shutdown with a limit, interruption, the end of the interpreter, fork."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from drivers.executor_driver import PATIENCE, double, double_later, gate, running, statuses, until
from racehound.guard import CircuitBreaker, ParallelStrategyExecutor
from racehound.guard.executor import Limits, Mode
from racehound.guard.executor.pool import Worker, WorkerPool

TESTS = Path(__file__).resolve().parents[2]

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform cannot fork")


def run_script(script: str) -> str:
    """In a fresh interpreter, where the driver can be imported."""
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTHONWARNINGS": "ignore::DeprecationWarning"}
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_after_shutdown_everything_is_rejected() -> None:
    executor = ParallelStrategyExecutor({"plain": double, "later": double_later})
    executor.run(1)
    assert executor.shutdown() == ()
    outcomes = executor.run(1)

    assert statuses(outcomes) == {"plain": "rejected", "later": "rejected"}
    assert str(outcomes["plain"].error) == "plain: the executor was shut down"


def test_shutdown_ends_all_threads() -> None:
    before = set(threading.enumerate())
    executor = ParallelStrategyExecutor({"plain": double, "later": double_later})
    executor.run(1)
    assert set(threading.enumerate()) > before
    executor.shutdown()

    assert set(threading.enumerate()) == before


def test_shutdown_may_be_repeated() -> None:
    executor = ParallelStrategyExecutor({"plain": double, "later": double_later})
    executor.run(1)

    assert executor.shutdown() == executor.shutdown() == ()


def test_shutdown_waits_for_rounds_under_way() -> None:
    with gate() as slow:
        executor = ParallelStrategyExecutor({"slow": slow, "queued": double}, 1)
        with running(lambda: executor.run(1)) as result:
            slow.wait_for_arrival()
            with running(lambda: executor.shutdown(timeout=PATIENCE)) as ended:
                until(lambda: executor._ledger._closed)
                assert statuses(executor.run(2)) == {"slow": "rejected", "queued": "rejected"}
                slow.open()
                assert ended() == ()
            assert statuses(result()) == {"slow": "ok", "queued": "ok"}


def test_a_round_under_way_may_still_start_its_hedge() -> None:
    with gate() as slow:
        executor = ParallelStrategyExecutor({"slow": slow, "hedge": double}, mode=Mode.hedged(0.1))
        with running(lambda: executor.run(1)) as result:
            slow.wait_for_arrival()
            with running(lambda: executor.shutdown(timeout=PATIENCE)) as ended:
                assert statuses(result()) == {"slow": "cancelled", "hedge": "ok"}
                slow.open()
                assert ended() == ()


def test_past_its_limit_shutdown_cancels_and_names_what_hangs() -> None:
    breaker = CircuitBreaker(failure_threshold=1)
    with gate() as hanging:
        executor = ParallelStrategyExecutor({"hang": hanging, "queued": double}, 1, breaker=breaker)
        with running(lambda: executor.run(1)) as result:
            hanging.wait_for_arrival()
            started = monotonic()
            left = executor.shutdown(timeout=0.05)
            took = monotonic() - started
            outcomes = result()
            hanging.open()

    assert statuses(outcomes) == {"hang": "cancelled", "queued": "cancelled"}
    assert "shut down" in str(outcomes["hang"].error)
    assert [straggler.strategy for straggler in left] == ["hang"]
    assert 0.05 <= took < 10
    assert not breaker.is_open("hang")


def test_shutdown_with_cancel_does_not_wait_for_the_limit() -> None:
    with gate() as hanging:
        executor = ParallelStrategyExecutor({"hang": hanging})
        with running(lambda: executor.run(1)) as result:
            hanging.wait_for_arrival()
            with running(lambda: executor.shutdown(timeout=PATIENCE, cancel=True)) as ended:
                assert statuses(result()) == {"hang": "cancelled"}
                hanging.open()
                assert ended() == ()


def test_shutdown_cancels_an_awaited_round_from_another_thread() -> None:
    async def hang(_: int) -> None:
        started.set()
        await asyncio.Event().wait()

    started = threading.Event()
    executor = ParallelStrategyExecutor({"hang": hang})
    with running(lambda: asyncio.run(executor.arun(1))) as result:
        assert started.wait(PATIENCE)
        executor.shutdown(timeout=PATIENCE, cancel=True)
        assert statuses(result()) == {"hang": "cancelled"}


def test_leaving_the_block_keeps_to_the_limit() -> None:
    with gate() as hanging:
        with ParallelStrategyExecutor({"hang": hanging}, limits=Limits(shutdown=0.02)) as executor:
            executor.run(1, timeout=0.02)
            started = monotonic()
        assert monotonic() - started < 10
        hanging.open()


def test_shutdown_without_a_limit_waits() -> None:
    with gate() as slow:
        with ParallelStrategyExecutor({"slow": slow}, limits=Limits(shutdown=None)) as executor:
            executor.run(1, timeout=0.02)
            slow.open()
        assert executor.stragglers() == ()


@pytest.mark.parametrize("asynchronous", [False, True])
def test_shutdown_from_within_a_strategy_does_not_wait_for_itself(*, asynchronous: bool) -> None:
    def end(_: int) -> int:
        return len(executor.shutdown())

    async def end_later(_: int) -> int:
        return end(0)

    executor = ParallelStrategyExecutor({"end": end_later if asynchronous else end})
    assert executor.run(1, timeout=PATIENCE)["end"].value == 0
    assert statuses(executor.run(1)) == {"end": "rejected"}


@pytest.fixture
def _interrupts() -> Iterator[None]:
    """A suite that was started in the background ignores interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interrupts")
def test_an_interrupt_of_the_caller_gives_the_permits_back() -> None:
    def interrupt() -> None:
        hanging.wait_for_arrival()
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)  # which ends no wait of the caller

    breaker = CircuitBreaker(failure_threshold=1)
    with gate() as hanging, ParallelStrategyExecutor({"hang": hanging}, breaker=breaker) as executor:
        with running(interrupt), pytest.raises(KeyboardInterrupt):
            executor.run(1)
        hanging.open()
        until(lambda: not executor.stragglers())
        assert executor.statistics()["hang"]["cancelled"] == 1
        assert statuses(executor.run(1)) == {"hang": "ok"}

    assert breaker.failures("hang") == 0


def test_a_hang_does_not_keep_the_interpreter_from_ending() -> None:
    output = run_script("""
        import asyncio, threading
        from racehound.guard import ParallelStrategyExecutor

        async def hang(_): await asyncio.Event().wait()
        async def block(_): threading.Event().wait()

        strategies = {"thread": lambda _: threading.Event().wait(), "hang": hang, "block": block}
        executor = ParallelStrategyExecutor(strategies)
        print(*(outcome.status for outcome in executor.run(1, timeout=0.2).values()))
    """)

    assert output.split() == ["timed_out"] * 3


def test_at_the_end_of_the_interpreter_rounds_are_rejected_rather_than_hung() -> None:
    output = run_script("""
        import atexit
        from racehound.guard import ParallelStrategyExecutor

        def last_words():
            print(executor.run(1)["a"].status)

        atexit.register(last_words)
        executor = ParallelStrategyExecutor({"a": str})
        print(executor.run(1)["a"].status)
    """)

    assert output.split()[0] == "ok"
    assert output.split()[1] in ("ok", "rejected")


def test_where_no_thread_can_be_started_strategies_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Worker) -> None:
        raise RuntimeError("can't start new thread")

    with ParallelStrategyExecutor({"a": double}) as executor:
        monkeypatch.setattr(Worker, "start", refuse)
        assert statuses(executor.run(1)) == {"a": "rejected"}
        monkeypatch.undo()
        assert statuses(executor.run(1)) == {"a": "ok"}


def test_where_no_further_thread_can_be_started_the_others_do_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Worker) -> None:
        raise RuntimeError("can't start new thread")

    with gate() as slow, ParallelStrategyExecutor({"a": slow, "b": double}) as executor:
        slow.open()
        with ParallelStrategyExecutor({"a": double, "b": double}, 2) as narrow:
            narrow._places._pool._hire()
            monkeypatch.setattr(Worker, "start", refuse)
            assert statuses(narrow.run(1)) == {"a": "ok", "b": "ok"}
            monkeypatch.undo()
        assert statuses(executor.run(1)) == {"a": "ok", "b": "ok"}


def test_a_closed_pool_takes_nothing() -> None:
    pool = WorkerPool(1, queue_limit=None, name="closed")
    pool.close()

    class Job:
        def perform(self) -> None:
            raise AssertionError("never")

    assert pool.submit([Job()]) == 0
    assert pool.give_up(Job()) is None


@needs_fork
def test_a_forked_child_starts_afresh_and_leaves_the_parent_alone() -> None:
    output = run_script("""
        import os, sys
        from drivers.executor_driver import double, double_later, fail, statuses
        from racehound.guard import CircuitBreaker, ParallelStrategyExecutor

        breaker = CircuitBreaker(failure_threshold=10)
        strategies = {"plain": double, "later": double_later, "bad": fail}
        executor = ParallelStrategyExecutor(strategies, breaker=breaker)
        expected = {"plain": "ok", "later": "ok", "bad": "failed"}
        for _ in range(3):
            assert statuses(executor.run(1, timeout=20)) == expected
            child = os.fork()
            if child == 0:
                good = statuses(executor.run(1, timeout=20)) == expected and executor.shutdown(timeout=20) == ()
                os._exit(0 if good else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            assert statuses(executor.run(1, timeout=20)) == expected
        print(breaker.failures("bad"))
    """)

    assert output.split() == ["6"]


@needs_fork
def test_a_fork_in_the_middle_of_rounds_finds_no_lock_held() -> None:
    output = run_script("""
        import os, threading
        from drivers.executor_driver import double, double_later, statuses
        from racehound.guard import ParallelStrategyExecutor

        executor = ParallelStrategyExecutor({"plain": double, "later": double_later})
        stop = threading.Event()

        def busy():
            while not stop.is_set():
                executor.run(1, timeout=20)

        threads = [threading.Thread(target=busy) for _ in range(3)]
        for thread in threads: thread.start()
        for _ in range(10):
            child = os.fork()
            if child == 0:
                good = all(status == "ok" for status in statuses(executor.run(1, timeout=10)).values())
                os._exit(0 if good and not executor.stragglers() else 1)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        stop.set()
        for thread in threads: thread.join()
    """)

    assert output.split() == ["0"] * 10


def test_statistics_count_every_round() -> None:
    counts: dict[str, Any] = {"ok": 2, "failed": 0, "timed_out": 0, "skipped": 0, "cancelled": 0, "rejected": 1}
    executor = ParallelStrategyExecutor({"a": double})
    executor.run(1)
    executor.run(1)
    executor.shutdown()
    executor.run(1)

    assert executor.statistics() == {"a": {**counts, "late": 0}}


@needs_fork
def test_in_a_forked_child_a_pool_is_made_again_or_refused() -> None:
    output = run_script("""
        import os
        from concurrent.futures import ThreadPoolExecutor
        from drivers.executor_driver import double
        from racehound.guard import ParallelStrategyExecutor

        given = ParallelStrategyExecutor({"a": double}, executor=ThreadPoolExecutor(1))
        made = ParallelStrategyExecutor({"a": double}, executor=lambda: ThreadPoolExecutor(1))
        outcomes = [given.run(1)["a"], made.run(1)["a"]]
        child = os.fork()
        if child == 0:
            outcomes = [given.run(1, timeout=20)["a"], made.run(1, timeout=20)["a"]]
        else:
            os.waitpid(child, 0)  # lines of two processes must not mix
        for outcome in outcomes:
            print(outcome.status, outcome.error, flush=True)
        if child == 0:
            os._exit(0)
    """)

    assert sorted(output.splitlines()) == [
        "ok None",
        "ok None",
        "ok None",
        "rejected a: its pool belongs to the parent process: give a function that makes a pool",
    ]


def test_a_pool_that_was_never_needed_is_never_made() -> None:
    made: list[ThreadPoolExecutor] = []

    def make() -> ThreadPoolExecutor:
        made.append(ThreadPoolExecutor(1))
        return made[-1]

    with ParallelStrategyExecutor({"later": double_later}, executor=make) as executor:
        assert statuses(executor.run(1)) == {"later": "ok"}

    assert made == []


@needs_fork
def test_what_was_shut_down_stays_so_in_a_forked_child() -> None:
    output = run_script("""
        import os
        from drivers.executor_driver import double
        from racehound.guard import ParallelStrategyExecutor

        executor = ParallelStrategyExecutor({"a": double})
        executor.shutdown()
        child = os.fork()
        if child == 0:
            print(executor.run(1, timeout=20)["a"].status, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
    """)

    assert output.split() == ["rejected"]


def test_a_pool_may_be_closed_by_the_collector_while_it_is_in_use() -> None:
    pool = WorkerPool(1, queue_limit=None, name="collected")
    with pool._lock:
        pool.close()

    assert pool.closed
