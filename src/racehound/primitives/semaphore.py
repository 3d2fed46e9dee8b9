"""`threading.Semaphore` and `BoundedSemaphore`: one step to take, one to give back.

The original wakes one waiter for each release, but whoever comes first takes the place, so who waits may go on
exactly when there is one. The number of places stays where the original keeps it.
"""

import threading
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.primitives.replacement import Replacement

_acquire = threading.Semaphore.acquire
_release = threading.Semaphore.release
_bounded_release = threading.BoundedSemaphore.release


def _operation(execution: Execution, semaphore: object, kind: Kind) -> Operation:
    effect = Effect(execution.number(semaphore), WHOLE, writes=True)
    return Operation(kind, (effect,), site=CONTROL.site, label="semaphore")


def acquire(self: Any, blocking: bool = True, timeout: float | None = None) -> bool:  # noqa: FBT002 - the original's signature
    execution = CONTROL.in_charge()
    if execution is None:
        return _acquire(self, blocking, timeout)
    if not blocking and timeout is not None:
        raise ValueError("can't specify timeout for non-blocking acquire")
    waits = blocking and (timeout is None or timeout > 0)
    operation = _operation(execution, self, Kind.TAKE)
    if waits:
        operation.ready = lambda: self._value > 0
        operation.deadline = None if timeout is None else execution.after(timeout)
    execution.step(operation)
    if self._value == 0 or (not waits and execution.refuses()):
        return False
    self._value -= 1
    return True


def release(self: Any, n: int = 1) -> None:
    execution = CONTROL.in_charge()
    if execution is None or execution.aborting:
        _release(self, n)
        return
    _check(n)
    execution.step(_operation(execution, self, Kind.RELEASE))
    self._value += n


def bounded_release(self: Any, n: int = 1) -> None:
    execution = CONTROL.in_charge()
    if execution is None or execution.aborting:
        _bounded_release(self, n)
        return
    _check(n)
    execution.step(_operation(execution, self, Kind.RELEASE))
    if self._value + n > self._initial_value:
        raise ValueError("Semaphore released too many times")
    self._value += n


def _check(n: int) -> None:
    if n < 1:
        raise ValueError("n must be one or more")


REPLACEMENTS: Final = (
    Replacement(threading.Semaphore, "acquire", acquire),
    Replacement(threading.Semaphore, "__enter__", acquire),
    Replacement(threading.Semaphore, "release", release),
    Replacement(threading.BoundedSemaphore, "release", bounded_release),
)
