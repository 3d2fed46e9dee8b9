"""A strategy that runs a round of its own holds its worker, or its event loop, while it waits.

What it holds is made up for elsewhere until it stops waiting, so rounds within rounds, of one executor or of
several, cannot lock each other out.
"""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from racehound.guard.executor.attempt import Attempt


def holding_worker(outer: Attempt | None) -> AbstractContextManager[None]:
    if outer is None or outer.task is not None:
        return nullcontext()
    return outer.round.pool.widened()


def blocking(outer: Attempt | None) -> AbstractContextManager[None]:
    if outer is None or outer.task is None:
        return holding_worker(outer)
    from racehound.guard.executor.loops import LoopThread  # noqa: PLC0415 - loaded long ago if there is a task

    thread = threading.current_thread()
    return thread.blocked() if isinstance(thread, LoopThread) else nullcontext()
