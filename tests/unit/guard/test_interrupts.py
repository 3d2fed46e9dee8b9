"""A program that lives on after an interrupt: nothing stays held, nothing is lost, nothing stays broken."""

from __future__ import annotations

import gc
import threading
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import pytest

from drivers.interruption import each_interrupt
from racehound.guard import (
    CircuitBreaker,
    ConfigStore,
    Lock,
    LockHeld,
    ParallelStrategyExecutor,
    SqliteBreakerStore,
    kernel,
)
from racehound.guard.lockfile import LockFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# Whoever is interrupted right after opening a file leaves it to the collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

# Where the block is left and nothing of ours is on the stack yet that could finish it.
TOO_EARLY = {"call Lock.__exit__", "call Lock.release"}


def is_free(lock: Lock) -> bool:
    """Asked of the kernel, whatever the objects of this process believe."""
    file = LockFile(lock.path, 0o600)
    try:
        return kernel.try_lock(file.fd)
    finally:
        file.close()


def enter_and_leave(lock: Lock) -> None:
    with lock:
        pass


def test_interrupted_block_leaves_the_lock_free(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock")
    places = []
    for place in each_interrupt(lambda: enter_and_leave(lock)):
        places.append(place)
        if place in TOO_EARLY:
            lock.release()
        assert not lock.is_held, place
        assert is_free(lock), place
    assert len(places) > 20


def test_interrupted_inner_block_leaves_the_outer_one_as_it_was(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock")
    for place in each_interrupt(lambda: enter_and_leave(lock), prepare=lock.acquire):
        if place in TOO_EARLY:
            lock.release()
        lock.release()
        assert not lock.is_held, place
        assert is_free(lock), place


@pytest.fixture(name="holds")
def _holds() -> Iterator[Callable[[Lock], None]]:
    """A thread that takes a lock and keeps it until the test is over."""
    ends, threads = threading.Event(), []

    def hold(lock: Lock) -> None:
        has = threading.Event()

        def work() -> None:
            with lock:
                has.set()
                ends.wait(30)

        threads.append(threading.Thread(target=work, daemon=True))
        threads[-1].start()
        assert has.wait(30)

    yield hold
    ends.set()
    for thread in threads:
        thread.join(30)


def test_interrupted_wait_leaves_the_queue(tmp_path: Path, holds: Callable[[Lock], None]) -> None:
    holds(Lock(tmp_path / "x.lock"))
    lock = Lock(tmp_path / "x.lock", timeout=0.002)

    def wait_in_vain() -> None:
        with suppress(LockHeld):
            lock.acquire()

    for place in each_interrupt(wait_in_vain):
        assert lock._share is None or not lock._share._waiters, place


def test_interrupted_release_wakes_who_waits(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock")
    got: list[bool] = []

    def wait() -> None:
        with Lock(lock.path, timeout=30):
            got.append(True)

    def hold_until_somebody_waits() -> None:
        lock.acquire()
        got.clear()
        waiting.append(threading.Thread(target=wait, daemon=True))
        waiting[-1].start()
        assert lock._share is not None
        while not lock._share._waiters:
            pass

    waiting: list[threading.Thread] = []
    for place in each_interrupt(lock.release, prepare=hold_until_somebody_waits):
        if place in TOO_EARLY:
            lock.release()
        waiting[-1].join(30)
        assert got, place
    waiting[-1].join(30)
    assert is_free(lock)


def test_interrupted_update_leaves_the_file_whole_and_unlocked(tmp_path: Path) -> None:
    store = ConfigStore(tmp_path / "x.json")
    store.set("a", 0)
    for place in each_interrupt(lambda: store.set("a", store.get("a") + 1)):
        if place in TOO_EARLY:
            store.lock.release()
        assert is_free(store.lock), place
    assert store.read().keys() == {"a"}
    assert {path.name for path in tmp_path.iterdir()} == {"x.json", ".x.json.lock"}


@pytest.fixture(name="forgets_threads")
def _forgets_threads() -> Iterator[None]:
    """Other tests would notice what interrupted starts leave.

    A thread that never came to run counts as alive for ever, and its event loop is never closed.
    """
    known = dict(threading._limbo)  # type: ignore[attr-defined]
    yield
    threading._limbo.clear()  # type: ignore[attr-defined]
    threading._limbo.update(known)  # type: ignore[attr-defined]
    gc.collect()


def answer(number: int) -> int:
    return number


async def answer_later(number: int) -> int:
    return number


@pytest.mark.usefixtures("forgets_threads")
@pytest.mark.parametrize("function", [answer, answer_later])
def test_interrupted_round_leaves_the_executor_in_order(function: Callable[[int], int]) -> None:
    executors: list[ParallelStrategyExecutor] = []

    def make() -> None:
        executors.append(ParallelStrategyExecutor({"a": function, "b": function}, max_workers=1))

    for place in each_interrupt(lambda: executors[-1].run(1), prepare=make):
        outcomes = executors[-1].run(2, timeout=30)
        assert [outcome.value for outcome in outcomes.values()] == [2, 2], place
        if place != "call Ledger.leave":  # the round counts as under way, and a shutdown would wait for it
            assert executors[-1].shutdown() == (), place
    executors[-1].shutdown()


def test_interrupted_change_leaves_no_transaction_open(tmp_path: Path) -> None:
    with (
        closing(SqliteBreakerStore(tmp_path / "x.db")) as one,
        closing(SqliteBreakerStore(tmp_path / "x.db")) as two,
    ):
        breaker, other = CircuitBreaker(store=one), CircuitBreaker(store=two)
        breaker.force_open("name")
        for place in each_interrupt(lambda: breaker.record_success("name")):
            other.force_open("name")
            assert other.circuit("name").keeper._lost_at is None, place  # type: ignore[attr-defined]
