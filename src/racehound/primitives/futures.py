"""What `concurrent.futures` needs to run under control.

Its executors and futures are exact on controlled threads, locks, conditions and queues. What is not: a lock made
when the module was loaded, an order by object address, sets of futures, which are ordered by address as well, and
the workers of a forgotten executor, which are sent home at the moment the executor is freed; here they stay and
wait for work, which nobody can tell.
"""

import builtins
import weakref
from concurrent.futures import Future, ThreadPoolExecutor, _base, thread
from types import SimpleNamespace
from typing import Final

from racehound.engine.control import CONTROL
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.primitives.lock import ControlledLock
from racehound.primitives.replacement import Replacement
from racehound.primitives.serial import numbered

_new_pool_name = ThreadPoolExecutor._counter  # type: ignore[attr-defined]  # noqa: SLF001 - numbers the executors


def address(subject: object) -> int:
    """In place of `id`: the number of the object in the execution."""
    execution = CONTROL.here()
    return builtins.id(subject) if execution is None else execution.number(subject)


def new_pool_number() -> int:
    """Executors are numbered from zero in every execution; who makes the first is a matter of choice."""
    execution = CONTROL.here()
    if execution is None:
        return int(_new_pool_name())
    names = execution.number_of(("names of executors",))
    execution.step(Operation(Kind.WRITE, (Effect(names, WHOLE, writes=True),), site=CONTROL.site))
    return next(execution.pool_names)


def reference(executor: object, callback: object = None) -> "weakref.ref[object]":
    del callback
    return weakref.ref(executor)


REPLACEMENTS: Final = (
    Replacement(thread, "weakref", SimpleNamespace(ref=reference)),
    Replacement(thread, "_global_shutdown_lock", ControlledLock()),
    Replacement(_base, "id", address),
    *numbered(Future),
    Replacement(ThreadPoolExecutor, "_counter", staticmethod(new_pool_number)),
)
