"""Puts the mirrors where programs look for the originals, and finds the mirror of an original.

Code that is loaded after `installed` begins gets mirrors from `threading`. Locks that exist already, such as
those of modules loaded earlier, are met by the hooks, which ask for their mirrors. `threading` builds Condition,
Event, Semaphore and Barrier on the locks it finds under its own names, so these wait under control as well.
"""

import _thread
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from racehound.engine.control import CONTROL
from racehound.engine.operation import Kind, Operation
from racehound.errors import HarnessError
from racehound.primitives.lock import ControlledLock, ControlledRLock

ORIGINAL_LOCK = type(_thread.allocate_lock())
ORIGINAL_RLOCK = type(threading.RLock())

_real_sleep = time.sleep
_real_start = threading.Thread.start


def _sleep(seconds: float) -> None:
    """Another task may run meanwhile; how long it takes is never the point."""
    execution = CONTROL.here()
    if execution is None:
        _real_sleep(seconds)
        return
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    execution.step(Operation(Kind.YIELD, (), label="sleep"))


def _start(thread: threading.Thread) -> None:
    execution = CONTROL.here()
    if execution is None:
        _real_start(thread)
        return
    execution.give_up(HarnessError("the code under proof starts threads of its own, which are not controlled yet"))


@contextmanager
def installed() -> Iterator[None]:
    """Within this context `threading` hands out mirrors."""
    with (
        patch.object(threading, "Lock", ControlledLock),
        patch.object(threading, "RLock", ControlledRLock),
        patch.object(threading, "_allocate_lock", ControlledLock),
        patch.object(threading.Thread, "start", _start),
        patch.object(time, "sleep", _sleep),
        patch.object(CONTROL, "mirror_of", MirrorTable().mirror_of),
    ):
        yield


class MirrorTable:
    """One mirror for each original lock, for as long as the original lives in the table."""

    def __init__(self) -> None:
        self._mirrors: dict[int, tuple[object, ControlledLock | ControlledRLock]] = {}

    def mirror_of(self, original: object) -> ControlledLock | ControlledRLock:
        """The controlled lock that stands for an original one."""
        known = self._mirrors.get(id(original))
        if known is None:
            mirror = ControlledLock(original) if isinstance(original, ORIGINAL_LOCK) else ControlledRLock(original)
            known = self._mirrors[id(original)] = (original, mirror)
        return known[1]
