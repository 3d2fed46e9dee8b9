import asyncio
import threading

import pytest

from racehound.guard.stores.in_thread import in_thread


def test_error_of_the_thread_reaches_the_coroutine() -> None:
    def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        asyncio.run(in_thread(fail))


def test_success_after_the_cancellation_is_undone_by_the_thread() -> None:
    go_on, undone = threading.Event(), threading.Event()

    async def main() -> None:
        task = asyncio.create_task(in_thread(go_on.wait, undo=undone.set))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not undone.is_set()
        go_on.set()

    asyncio.run(main())

    assert undone.wait(10)


def test_success_before_the_cancellation_is_undone_at_once() -> None:
    threads: list[threading.Thread] = []
    undone: list[bool] = []

    async def main() -> None:
        work = asyncio.create_task(
            in_thread(lambda: threads.append(threading.current_thread()), undo=lambda: undone.append(True))
        )
        await asyncio.sleep(0)
        while not threads:
            threading.Event().wait(0)
        threads[0].join()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(main())

    assert undone == [True]


def test_failure_after_the_cancellation_is_nobodys() -> None:
    go_on, threads = threading.Event(), []

    def fail() -> None:
        threads.append(threading.current_thread())
        go_on.wait(10)
        raise KeyError("x")

    async def main() -> None:
        task = asyncio.create_task(in_thread(fail))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    go_on.set()
    threads[0].join()

    assert not threads[0].is_alive()
