"""Checked by mypy and never run: the intended use of the public names, and misuse that must be noticed.

A misuse carries `type: ignore` with the expected error; mypy reports the comment as unused should it go unnoticed.
"""

import asyncio
from pathlib import Path
from typing import Annotated, Any, assert_type

from racehound import confined, explore, guarded_by
from racehound.guard import (
    CircuitBreaker,
    CircuitOpen,
    ConfigStore,
    Lock,
    LockHeld,
    Outcome,
    ParallelStrategyExecutor,
    Session,
    atomic_write,
)


class Counter:
    def __init__(self) -> None:
        self.value = 0

    def increment(self) -> None:
        self.value += 1

    async def increment_slowly(self) -> None:
        value = self.value
        await asyncio.sleep(0)
        self.value = value + 1


def races_threads() -> None:
    workers = [Counter.increment, Counter.increment]
    result = explore(setup=Counter, workers=workers, invariant=lambda counter: counter.value == 2)

    assert_type(result.verdict == "race", bool)
    assert_type(result.executions, int)
    assert_type(result.token, str | None)
    result.assert_safe()


def races_coroutines() -> None:
    explore(setup=Counter, workers=[Counter.increment_slowly, Counter.increment_slowly])


def misuse() -> None:
    explore(Counter, [Counter.increment])  # type: ignore[call-arg]  # arguments are given by name
    explore(setup=Counter(), workers=[Counter.increment])  # type: ignore[arg-type]  # an object, not a way to make one


def locks(path: Path) -> None:
    try:
        with Lock("build", timeout=5) as lock, Lock(path):
            assert_type(lock, Lock)
            assert_type(lock.is_held, bool)
    except LockHeld as held:
        assert_type(held.retry_after_ms, int)
        assert_type(held.holder.pid, int | None)
        assert_type(held.envelope(), dict[str, object])


async def locks_for_tasks() -> None:
    async with Lock("build") as lock:
        assert_type(lock, Lock)


def keeps_state(path: Path) -> None:
    store = ConfigStore(path)
    store.set("section.key", 1)
    store.set(["section", "dotted.key"], [1, 2])
    store.update(lambda config: {**config, "key": 1})
    atomic_write(path, "text")
    atomic_write(path, b"bytes", mode=0o600)
    with path.open("rb") as stream:
        atomic_write(path, stream)


def keeps_files_apart() -> None:
    with Session("tool", None) as session:
        assert_type(session, Session)
        assert_type(session.path("result.json"), str)
        session.open("result.json").write("{}")


breaker = CircuitBreaker(failure_threshold=3, open_seconds=30.0, half_open_probes=1)


@breaker.guard("doubling")
def doubled(number: int) -> int:
    return 2 * number


@breaker.guard("doubling")
async def doubled_slowly(number: int) -> int:
    return 2 * number


async def breaks_circuits() -> None:
    try:
        assert_type(doubled(1), int)
        assert_type(await doubled_slowly(1), int)
        with breaker.permit("doubling"):
            doubled(2)
    except CircuitOpen as refused:
        assert_type(refused.retry_after, float)
    assert_type(breaker.failures("doubling"), int)


async def runs_strategies() -> None:
    with ParallelStrategyExecutor({"double": doubled}, max_workers=4, breaker=breaker) as executor:
        assert_type(executor.run(1, timeout=2.0), dict[str, Outcome[Any]])
        assert_type(await executor.arun(1), dict[str, Outcome[Any]])


def shows(outcome: Outcome[int]) -> str:
    assert_type(outcome.value, int | None)
    assert_type(outcome.unwrap(), int)
    return f"{outcome.status} after {outcome.duration:.1f} s" if outcome.ok else str(outcome.error)


def misuse_of_guard() -> None:
    Lock("build", timeout="5")  # type: ignore[arg-type]  # seconds are a number
    doubled("1")  # type: ignore[arg-type]  # a guarded function keeps its types


class Stock:
    """Markers take the name of a lock, and anything else is noticed."""

    count: Annotated[int, guarded_by("_lock")] = 0
    seen: Annotated[int, confined] = 0
    last: Annotated[float, confined("event loop")] = 0.0


def misuses_markers() -> None:
    guarded_by(3)  # type: ignore[arg-type]
    assert_type(Stock().count, int)
