"""Store calls made for a coroutine run in a thread: an event loop never waits for a disk or a server."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def in_thread(function: Callable[[], T], undo: Callable[[T], object] | None = None) -> T:
    """Run to the end, even where the waiting task is cancelled.

    A cancelled task cannot use what it asked for: `undo` then gets the result, as soon as there is one.
    """
    import asyncio  # noqa: PLC0415 - who awaits this has it already; who does not shall not pay for it

    work = asyncio.get_running_loop().run_in_executor(None, function)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        if undo is not None:
            work.add_done_callback(lambda done: done.exception() or undo(done.result()))
        raise
