"""A blocking call of a coroutine, in a thread of its own.

The default executor of asyncio has few threads. Tasks that wait there for a lock could take all of
them, and the release of the holder would wait behind its own waiters.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress


class _Call:
    """Runs `work`; if the coroutine was cancelled meanwhile, `undo` takes a success back."""

    def __init__(self, work: Callable[[], object], undo: Callable[[], object]) -> None:
        self._work = work
        self._undo = undo
        self._decision = threading.Lock()
        self._is_done = False
        self._is_abandoned = False
        self._loop = asyncio.get_running_loop()
        self.result: asyncio.Future[None] = self._loop.create_future()

    def run(self) -> None:
        try:
            self._work()
        except BaseException as error:  # noqa: BLE001 - carried over to the coroutine, all of it
            self._deliver(error)
            return
        with self._decision:
            self._is_done = True
            abandoned = self._is_abandoned
        if abandoned:
            self._undo()
        else:
            self._deliver(None)

    def abandon(self) -> None:
        with self._decision:
            self._is_abandoned = True
            done = self._is_done
        if done:
            self._undo()

    def _deliver(self, error: BaseException | None) -> None:
        with suppress(RuntimeError):  # the loop was closed around the waiting task
            self._loop.call_soon_threadsafe(_settle, self.result, error)


def _settle(result: asyncio.Future[None], error: BaseException | None) -> None:
    if result.done():
        return
    if error is None:
        result.set_result(None)
    else:
        result.set_exception(error)


async def in_thread(work: Callable[[], object], *, undo: Callable[[], object] = lambda: None) -> None:
    """Wait for `work`. If the wait is cancelled, `undo` runs once `work` has succeeded."""
    call = _Call(work, undo)
    threading.Thread(target=call.run, daemon=True).start()
    try:
        await call.result
    except asyncio.CancelledError:
        call.abandon()
        raise
