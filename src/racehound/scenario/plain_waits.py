"""Whether threads of the plain interpreter wait for what nobody will do any more.

A thread waits for a sign without a limit of time where it sleeps in `Condition.wait`, on which events, semaphores,
barriers and queues rest, or, as far as the kernel tells, on a lock. Where all threads of a process do so, or have
nothing to do, none of them will go on. One that has been woken may look the same for a moment, so that all of them
have to stand still for a while.
"""

import platform
import selectors
import sys
import threading
import types
from collections.abc import Callable, Collection
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from time import monotonic

from racehound.scenario.plain_background import is_idle

STILL = 0.1
"""Seconds in which nothing moves where everybody waits."""
_LOOK_AGAIN = 0.01
_FUTEX = {"x86_64": "202", "aarch64": "98"}.get(platform.machine(), "")
_TIMEOUT = 3
"""Which argument of that call says how long."""
_WAITS = (threading.Condition.wait.__code__, selectors.DefaultSelector.select.__code__)
"""The second one is where an event loop waits."""

Stand = tuple[int, int]
"""Where a thread stands: its innermost frame and the instruction in it."""


def settle(awaited: Collection[Future[None]], prompt: Callable[[], bool]) -> None:
    """Wait until all of these have ended, or nobody can go on; `prompt` says whether it made a difference."""
    stand, since = _stand(), monotonic()
    while not all(future.done() for future in awaited):
        with suppress(TimeoutError):
            next(future for future in awaited if not future.done()).result(_LOOK_AGAIN)
        before, stand = stand, _stand()
        if stand is None or stand != before:
            since = monotonic()
        elif monotonic() - since > STILL:
            if not prompt():
                return
            since = monotonic()


def _stand() -> dict[int, Stand] | None:
    """Where everybody waits for ever, or None if somebody may go on."""
    others = [thread for thread in threading.enumerate() if thread is not threading.current_thread()]
    stands = {thread.ident or 0: stand_of(thread.ident or 0) for thread in others if not is_idle(thread.ident)}
    waiting = {ident: stand for ident, stand in stands.items() if stand is not None}
    return waiting if len(waiting) == len(stands) else None


def stand_of(ident: int) -> Stand | None:
    """Where a thread waits for ever, or None if it may go on by itself."""
    frame = sys._current_frames().get(ident)  # noqa: SLF001 - the documented way to ask
    if frame is None or not _waits_for_ever(ident, frame):
        return None
    return id(frame), frame.f_lasti


def _waits_for_ever(ident: int, frame: types.FrameType) -> bool:
    if frame.f_code in _WAITS:
        return frame.f_locals["timeout"] in (None, -1)
    native = [thread.native_id for thread in threading.enumerate() if thread.ident == ident]
    return any(map(_sleeps_on_a_lock, native))


def _sleeps_on_a_lock(native: int | None) -> bool:
    """Whether the kernel has the thread wait at an address without a limit of time, as for a lock."""
    if not _FUTEX:  # pragma: needs another processor
        return False
    with suppress(OSError):
        number, *arguments = Path(f"/proc/self/task/{native}/syscall").read_text(encoding="ascii").split()
        return number == _FUTEX and int(arguments[_TIMEOUT], 16) == 0
    return False  # pragma: needs a kernel that does not tell
