from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from drivers.lock_processes import go_on, holder
from racehound.guard import Lock, LockHeld

if TYPE_CHECKING:
    from pathlib import Path


def test_tasks_exclude_each_other(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=30)
    counter = [0]

    async def add() -> None:
        for _ in range(20):
            async with lock:
                value = counter[0]
                await asyncio.sleep(0)
                counter[0] = value + 1

    async def main() -> None:
        await asyncio.gather(*(add() for _ in range(4)))

    asyncio.run(main())

    assert counter == [80]


def test_task_enters_again_and_another_task_does_not(tmp_path: Path) -> None:
    async def main() -> None:
        async with Lock(tmp_path / "x.lock") as lock, Lock(tmp_path / "x.lock", timeout=0):
            with Lock(tmp_path / "x.lock", timeout=0):
                assert lock.is_held
            with pytest.raises(LockHeld) as caught:
                await asyncio.create_task(Lock(tmp_path / "x.lock").acquire_async(timeout=0))
            assert caught.value.holder.pid == os.getpid()

    asyncio.run(main())


def test_plain_with_in_another_task_is_refused_too(tmp_path: Path) -> None:
    async def enter() -> None:
        with Lock(tmp_path / "x.lock", timeout=0.01):
            raise AssertionError("both tasks are inside")

    async def main() -> None:
        with Lock(tmp_path / "x.lock"), pytest.raises(LockHeld):
            await asyncio.create_task(enter())

    asyncio.run(main())


def test_async_waiter_gets_the_lock_of_another_process(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=None)

    async def main() -> None:
        task = asyncio.create_task(lock.acquire_async())
        await asyncio.sleep(0)
        go_on(other)
        await task

    with holder(lock.path) as other:
        asyncio.run(main())

    with pytest.raises(RuntimeError, match="does not hold it"):
        lock.release()


def test_async_timeout_says_who_holds_the_lock_and_the_loop_goes_on_meanwhile(tmp_path: Path) -> None:
    steps = [0]

    async def tick() -> None:
        while True:
            steps[0] += 1
            await asyncio.sleep(0.001)

    async def main() -> LockHeld:
        ticking = asyncio.create_task(tick())
        with pytest.raises(LockHeld) as caught:
            await Lock(tmp_path / "x.lock", timeout=0.05).acquire_async()
        ticking.cancel()
        return caught.value

    with holder(tmp_path / "x.lock") as other:
        held = asyncio.run(main())

    assert held.holder.pid == other.pid
    assert steps[0] > 5


def test_cancelled_task_leaves_the_queue(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=30)

    async def main() -> None:
        task = asyncio.create_task(lock.acquire_async())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert lock._share is not None
        assert not lock._share._waiters

    with holder(lock.path) as other:
        asyncio.run(main())
        go_on(other)
        with lock:
            pass


def test_callback_without_a_task_counts_as_its_thread(tmp_path: Path) -> None:
    seen: list[bool] = []

    async def main() -> None:
        def enter() -> None:
            with Lock(tmp_path / "x.lock", timeout=0) as lock:
                seen.append(lock.is_held)

        asyncio.get_running_loop().call_soon(enter)
        await asyncio.sleep(0)

    asyncio.run(main())

    assert seen == [True]
