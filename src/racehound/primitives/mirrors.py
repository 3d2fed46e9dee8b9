"""Puts the mirrors where programs look for the originals, and finds the mirror of an original.

Code that is loaded after `installed` begins gets mirrors from the modules of the standard library. Originals
that exist already, such as the locks of modules loaded earlier, are met by the hooks, which ask for their
mirrors; functions that were bound to names earlier are exchanged where they are called.
"""

import _thread
import concurrent.futures
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from racehound.engine.control import CONTROL
from racehound.engine.mirror import Mirror
from racehound.primitives import (
    arrivals,
    asyncio_futures,
    barrier,
    belongings,
    clock,
    condition,
    event,
    futures,
    hosting,
    identifiers,
    lru_cache,
    pools,
    process,
    queue,
    queues,
    semaphore,
    thread,
)
from racehound.primitives.lock import ControlledLock, ControlledRLock
from racehound.primitives.replacement import Replacement

_NOTHING = object()
ORIGINAL_LOCK = type(_thread.allocate_lock())
ORIGINAL_RLOCK = type(threading.RLock())

REPLACEMENTS = (
    Replacement(threading, "Lock", ControlledLock),
    Replacement(threading, "RLock", ControlledRLock),
    *condition.REPLACEMENTS,
    *event.REPLACEMENTS,
    *barrier.REPLACEMENTS,
    *semaphore.REPLACEMENTS,
    *thread.REPLACEMENTS,
    *queue.REPLACEMENTS,
    *queues.REPLACEMENTS,
    *clock.REPLACEMENTS,
    *futures.REPLACEMENTS,
    *pools.REPLACEMENTS,
    *belongings.REPLACEMENTS,
    *asyncio_futures.REPLACEMENTS,
    *arrivals.REPLACEMENTS,
    *hosting.REPLACEMENTS,
    *process.REPLACEMENTS,
    *lru_cache.REPLACEMENTS,
    *identifiers.REPLACEMENTS,
)


def _threads_of_this_process() -> frozenset[int]:
    """By their native ids. Where the system does not list them, those that `threading` knows."""
    try:
        return frozenset(int(entry.name) for entry in Path("/proc/self/task").iterdir())
    except OSError:
        return frozenset(each.native_id for each in threading.enumerate() if each.native_id is not None)


@contextmanager
def installed() -> Iterator[None]:
    """Within this context the standard library hands out mirrors."""
    changes = (
        *REPLACEMENTS,
        Replacement(CONTROL, "mirror_of", MirrorTable().mirror_of),
        Replacement(CONTROL, "stand_ins", STAND_INS),
        Replacement(CONTROL, "exact_pools", False),
        Replacement(CONTROL, "elders", _threads_of_this_process()),
        Replacement(CONTROL, "excepthook", threading.excepthook),
        Replacement(threading, "excepthook", threading.excepthook),
    )
    with ExitStack() as stack:
        for change in changes:
            stack.callback(_put(change))
        yield


def _put(change: Replacement) -> Callable[[], None]:
    """Put a stand-in in its place; what brings the original back, or leaves the place empty as it was."""
    owner, name, stand_in = change
    original = vars(owner).get(name, _NOTHING) if hasattr(owner, "__dict__") else getattr(owner, name)
    setattr(owner, name, stand_in)
    return partial(delattr, owner, name) if original is _NOTHING else partial(setattr, owner, name, original)


def _originals(owner: object, name: str) -> set[object]:
    """What names may be bound to: also what the system itself has, where a tool has wrapped what `os` shows."""
    found = {getattr(owner, name)}
    return found | {getattr(sys.modules[os.name], name, *found)} if owner is os else found


STAND_INS = {
    original: stand_in
    for owner, name, stand_in in REPLACEMENTS
    if owner in {os, signal, threading, _thread, sys.modules["queue"], time, concurrent.futures}
    and (owner is os or not name.startswith("_"))
    for original in _originals(owner, name)
}
"""For names that were bound to the originals before: `from time import sleep`."""


class MirrorTable:
    """One mirror for each original, for as long as the original lives in the table."""

    def __init__(self) -> None:
        self._mirrors: dict[int, tuple[object, Mirror]] = {}

    def mirror_of(self, original: object) -> Mirror:
        """The controlled primitive that stands for an original one."""
        known = self._mirrors.get(id(original))
        if known is None:
            known = self._mirrors[id(original)] = (original, _new_mirror(original))
        return known[1]


def _new_mirror(original: object) -> Mirror:
    if isinstance(original, queue.ORIGINAL):
        return queue.ControlledSimpleQueue(original)
    return ControlledLock(original) if isinstance(original, ORIGINAL_LOCK) else ControlledRLock(original)
