"""All threads of an execution on one core, where the system can be asked for that.

One task runs at any time, so a second core is of no use, and it does harm: the thread that is told to go wakes up
there at once, finds the interpreter still taken by the one that told it, and sleeps again. That doubles what a
hand-over costs. On one core, among threads that do not push each other aside (SCHED_BATCH), it wakes up when the
other has gone to sleep.

The core is the one that the calling thread is on. As others may want it as well, it is chosen anew every now and
then: for the length of one execution the calling thread may be put wherever there is room.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from racehound.engine.carrier import CarrierPool

STAY: Final = 0.2
"""Seconds after which the core is chosen anew."""
_STAT: Final = "/proc/thread-self/stat"
_CORE: Final = 36
"""Which of the words in that file, behind the name in parentheses, is the core."""
_SELF: Final = 0
_ANY: Final = -1
_REFUSED: Final = (OSError, ValueError, IndexError)
"""What comes of a system that does not allow this, or shows its threads in another way."""

# As they are now: the code under proof may put others in their place.
_open, _read, _close = os.open, os.read, os.close
_is_able: Final = hasattr(os, "SCHED_BATCH")
if _is_able:
    _get_cores, _set_cores = os.sched_getaffinity, os.sched_setaffinity
    _get_policy, _set_policy, _no_priority = os.sched_getscheduler, os.sched_setscheduler, os.sched_param(0)


class OneCore:
    """Keeps the thread that calls an execution, and the carriers, together."""

    def __init__(self, pool: "CarrierPool") -> None:
        self._pool = pool
        self._cores: set[int] = (
            set()
        )  # where the calling thread may be; empty while nothing is asked of the system
        self._core = _ANY
        self._until = 0.0  # when the core is to be chosen anew

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Within this context the threads share a core."""
        if not _is_able or _get_policy(_SELF) != os.SCHED_OTHER:  # somebody has other plans for this thread
            yield
            return
        try:
            self._ask()
            yield
        finally:
            self._leave()

    def _ask(self) -> None:
        with suppress(*_REFUSED):
            _set_policy(_SELF, os.SCHED_BATCH, _no_priority)
            self._cores = _get_cores(_SELF)
            if self._core in self._cores and monotonic() < self._until:
                _set_cores(_SELF, {self._core})
            else:
                self._choose()

    def _leave(self) -> None:
        cores, self._cores = self._cores, set()
        with suppress(*_REFUSED):
            _set_policy(_SELF, os.SCHED_OTHER, _no_priority)
        with suppress(*_REFUSED):
            _set_cores(_SELF, cores)

    def look_around(self) -> None:
        """Between two executions: is it time to move?"""
        if self._cores and monotonic() > self._until:
            with suppress(*_REFUSED):
                self._look_around()

    def _look_around(self) -> None:
        if self._core == _ANY:
            self._choose()
        else:
            self._core = _ANY
            _set_cores(_SELF, self._cores)

    def _choose(self) -> None:
        self._core = _core_of_this_thread()
        self._until = monotonic() + STAY
        for thread in (_SELF, *self._pool.native_ids()):
            _set_cores(thread, {self._core})


def _core_of_this_thread() -> int:
    file = _open(_STAT, os.O_RDONLY)
    try:
        return int(_read(file, 4096).rpartition(b")")[2].split()[_CORE])
    finally:
        _close(file)
