"""`threading.Lock` and `threading.RLock` whose waiting is a matter of choice, not of time.

The real lock underneath stays the single truth: a task under control takes it only when it is free, and any
other thread simply uses it. So a mirror behaves like the original wherever it is called from.
"""

import _thread
from contextlib import suppress
from types import TracebackType
from typing import Any, Final

from racehound.engine.control import CONTROL, NOBODY
from racehound.engine.execution import Execution
from racehound.engine.mirror import Mirror
from racehound.engine.operation import WHOLE, Effect, Kind, Operation, single_effect


def _acquire_operation(
    execution: Execution, lock: "ControlledLock | ControlledRLock", blocking: bool, timeout: float
) -> Operation:
    if blocking is not True or timeout != -1:
        _thread.allocate_lock().acquire(blocking, timeout)  # refuses what the original refuses, with its words
    effects = single_effect(execution.number(lock), WHOLE, True)
    if not blocking or timeout == 0:
        return Operation(Kind.TRY_ACQUIRE, effects, lock.site, lock)
    operation = Operation(_ACQUIRE, effects, lock.site, lock, ready=lock.is_free)
    if timeout > 0:
        operation.kind, operation.deadline = Kind.TRY_ACQUIRE, execution.after(timeout)
    return operation


def _is_refused(execution: Execution, blocking: bool, timeout: float) -> bool:
    return (not blocking or timeout == 0) and execution.refuses()


def _release_operation(execution: Execution, lock: "ControlledLock | ControlledRLock") -> Operation:
    effects = single_effect(execution.number(lock), WHOLE, True)
    return Operation(_RELEASE, effects, lock.site, lock)


_ACQUIRE: Final = Kind.ACQUIRE
_RELEASE: Final = Kind.RELEASE


class ControlledLock(Mirror):
    """Mirror of `threading.Lock`; wraps an existing lock if it is given one."""

    def __init__(self, real: _thread.LockType | None = None) -> None:
        self._real: Any = _thread.allocate_lock() if real is None else real
        self._holder = NOBODY  # the thread of the task that took it
        self._taken_at = 0  # where that was; others may have named the lock since

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:  # noqa: FBT002 - the original's signature
        execution = CONTROL.in_charge()
        if execution is None:
            taken: bool = self._real.acquire(blocking, timeout)
        else:
            operation = _acquire_operation(execution, self, blocking, timeout)
            execution.step(operation)
            taken = not _is_refused(execution, blocking, timeout) and self._real.acquire(blocking=False)
            if taken:
                self._holder, self._taken_at = CONTROL.ident, operation.site
        return taken

    def is_mine(self) -> bool:
        return self._real.locked() and self._holder == CONTROL.ident

    def release(self) -> None:
        execution = CONTROL.in_charge()
        if execution is not None and execution.aborting:
            with suppress(RuntimeError):  # a task that is unwound may not have got what it waited for
                self._real.release()
            return
        if execution is not None:
            execution.step(_release_operation(execution, self))
        self._real.release()

    def locked(self) -> bool:
        execution = CONTROL.in_charge()
        if execution is not None:
            effect = Effect(execution.number(self), WHOLE, writes=False)
            execution.step(Operation(Kind.CHECK, (effect,), site=self.site, subject=self))
        locked: bool = self._real.locked()
        return locked

    def is_free(self) -> bool:
        """Whether an acquire would succeed, without making that a visible step."""
        return not self._real.locked()

    __enter__ = acquire

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.site = self._taken_at
        self.release()

    # What `threading.Condition` asks of the lock it is given.

    def _is_owned(self) -> bool:
        """For this kind of lock it means: taken by anybody."""
        return self.locked()

    def _release_save(self) -> int:
        taken_at = self._taken_at
        self.release()
        return taken_at

    def _acquire_restore(self, taken_at: int) -> None:
        self.site = CONTROL.site
        self.acquire()
        self._taken_at = taken_at

    def _at_fork_reinit(self) -> None:
        self._real._at_fork_reinit()  # noqa: SLF001 - the original's name  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"<{'locked' if self._real.locked() else 'unlocked'} lock>"


class ControlledRLock(Mirror):
    """Mirror of `threading.RLock`: the owner may take it again, and that is no visible step."""

    def __init__(self, real: Any = None) -> None:
        self._real: Any = _thread.RLock() if real is None else real
        self._count = 0  # changed only by the thread that holds the real lock
        self._taken_at = 0  # as above

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:  # noqa: FBT002 - the original's signature
        execution = CONTROL.in_charge()
        if execution is None or self._is_owned():
            taken: bool = self._real.acquire(blocking, timeout)
        else:
            operation = _acquire_operation(execution, self, blocking, timeout)
            execution.step(operation)
            taken = not _is_refused(execution, blocking, timeout) and self._real.acquire(blocking=False)
            if taken:
                self._taken_at = operation.site
        self._count += taken
        return taken

    def release(self) -> None:
        execution = CONTROL.in_charge()
        if execution is not None and execution.aborting and not self._is_owned():
            return  # a task that is unwound may not have got what it waited for
        if execution is not None and not execution.aborting and self._count == 1 and self._is_owned():
            execution.step(_release_operation(execution, self))
        if self._is_owned():
            self._count -= 1
        self._real.release()

    def is_free(self) -> bool:
        """Whether somebody who does not hold the lock could take it."""
        return self._count == 0

    __enter__ = acquire

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.site = self._taken_at
        self.release()

    def is_mine(self) -> bool:
        return self._is_owned()

    # What `threading.Condition` asks of the lock it is given.

    def _is_owned(self) -> bool:
        owned: bool = self._real._is_owned()  # noqa: SLF001 - the original's name
        return owned

    def _recursion_count(self) -> int:
        return self._count if self._is_owned() else 0

    def _release_save(self) -> tuple[int, int]:
        if not self._is_owned():
            raise RuntimeError("cannot release un-acquired lock")
        depth, taken_at = self._count, self._taken_at
        for _ in range(depth):
            self.release()
        return depth, taken_at

    def _acquire_restore(self, before: tuple[int, int]) -> None:
        depth, taken_at = before
        self.site = CONTROL.site
        for _ in range(depth):
            self.acquire()
        self._taken_at = taken_at

    def _at_fork_reinit(self) -> None:
        self._real._at_fork_reinit()  # noqa: SLF001 - the original's name
        self._count = 0

    def __repr__(self) -> str:
        return f"<{'locked' if self._count else 'unlocked'} reentrant lock count={self._count}>"
