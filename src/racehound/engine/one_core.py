"""All threads of an execution on one core, where the system can be asked for that.

One task runs at any time, so a second core is of no use, and it does harm: the thread that is told to go wakes up
there at once, finds the interpreter still taken by the one that told it, and sleeps again. That doubles what a
hand-over costs. On one core, among threads that do not push each other aside (SCHED_BATCH), it wakes up when the
other has gone to sleep.

The core is the one that the calling thread is on. As others may want it as well, it is chosen anew every now and
then: for the length of one execution the calling thread may be put wherever there is room.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from racehound.engine.carrier import CarrierPool

Made = TypeVar("Made")

STAY: Final = 0.2
"""Seconds after which the core is chosen anew."""
_STAT: Final = "/proc/thread-self/stat"
_CORE: Final = 36
"""Which of the words in that file, behind the name in parentheses, is the core."""
_SELF: Final = 0

# As they are now: the code under proof may put others in their place.
_open, _read, _close = os.open, os.read, os.close
_is_able: Final = hasattr(os, "SCHED_BATCH")
if _is_able:
    _get_cores, _set_cores = os.sched_getaffinity, os.sched_setaffinity
    _get_policy, _set_policy, _no_priority = os.sched_getscheduler, os.sched_setscheduler, os.sched_param(0)


class Place:
    """Where the threads of a search are; this one leaves it to the system."""

    def kept_while(self, prepare: Callable[[], Made]) -> Callable[[], Made]:
        """The same, but that the threads may move before each execution, for which `prepare` is called."""
        return prepare


class OneCore(Place):
    def __init__(self, pool: "CarrierPool") -> None:
        self._pool = pool
        self._cores = _get_cores(_SELF)
        self._until: float | None = None  # until then the threads stay; None where they are about to move

    def kept_while(self, prepare: Callable[[], Made]) -> Callable[[], Made]:
        def prepare_here() -> Made:
            self.look_around()
            return prepare()

        return prepare_here

    def look_around(self) -> None:
        """Is it time to move?"""
        with suppress(*_REFUSED):
            if self._until is None:
                self._settle(_core_of_this_thread())
            elif monotonic() > self._until:
                self.leave()

    def _settle(self, core: int) -> None:
        self._until = monotonic() + STAY
        _set_cores(_SELF, {core})
        for thread in self._pool.native_ids():
            _set_cores(thread, {core})

    def leave(self) -> None:
        """Let the system put the calling thread wherever it may be."""
        self._until = None
        _set_cores(_SELF, self._cores)


def _core_of_this_thread() -> int:
    file = _open(_STAT, os.O_RDONLY)
    try:
        return int(_read(file, 4096).rpartition(b")")[2].split()[_CORE])
    finally:
        _close(file)


@contextmanager
def on_one_core(pool: "CarrierPool") -> Iterator[Place]:
    """Keep the calling thread and the carriers, which take turns, together."""
    if not _is_able or _get_policy(_SELF) != os.SCHED_OTHER:  # somebody has other plans for this thread
        yield Place()
        return
    place = OneCore(pool)
    try:
        with suppress(*_REFUSED):
            _set_policy(_SELF, os.SCHED_BATCH, _no_priority)
        place.look_around()
        yield place
    finally:
        with suppress(*_REFUSED):
            place.leave()
        with suppress(*_REFUSED):
            _set_policy(_SELF, os.SCHED_OTHER, _no_priority)


_REFUSED: Final = (OSError, ValueError, IndexError)
"""What a system may answer that does not allow this, or shows its threads in another way."""
