"""Who is asking for a lock: the running asyncio task, or else the thread.

All tasks of an event loop share one thread. If the thread were the owner, a second task would
walk into a lock that the first one holds across an `await`.
"""

from __future__ import annotations

import sys
from threading import local


class _ThreadOwner(local):
    """Not the thread's number, which is given to another thread after the first one ends."""

    def __init__(self) -> None:
        self.token = object()


_THREAD = _ThreadOwner()


def current_owner() -> object:
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return _THREAD.token
    running_loop = getattr(asyncio, "_get_running_loop", None)  # absent while asyncio is being imported
    if running_loop is None or running_loop() is None:
        return _THREAD.token
    return asyncio.current_task() or _THREAD.token
