"""`threading.Lock` and `threading.RLock` whose waiting is a matter of choice, not of time.

The real lock underneath stays the single truth: a task under control takes it only when it is free, and any
other thread simply uses it. So a mirror behaves like the original wherever it is called from.
"""

import _thread
from types import TracebackType

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.mirror import Mirror
from racehound.engine.operation import WHOLE, Effect, Kind, Operation


class ControlledLock(Mirror):
    """Mirror of `threading.Lock`; wraps an existing lock if it is given one."""

    def __init__(self, real: _thread.LockType | None = None) -> None:
        self._real = _thread.allocate_lock() if real is None else real
        self._holder: int | None = None  # the task that took it last

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:  # noqa: FBT002 - the original's signature
        execution = CONTROL.here()
        if execution is None:
            return self._real.acquire(blocking, timeout)
        check_arguments(blocking, timeout)
        if not blocking or timeout == 0:
            execution.step(self._operation(execution, Kind.TRY_ACQUIRE))
            return self._taken_by(execution)
        kind = Kind.ACQUIRE if timeout == -1 else Kind.TRY_ACQUIRE
        operation = self._operation(execution, kind)
        operation.ready = self._is_free
        operation.deadline = None if timeout == -1 else execution.now + timeout
        execution.step(operation)
        return self._taken_by(execution)

    def _taken_by(self, execution: Execution) -> bool:
        taken = self._real.acquire(blocking=False)
        if taken:
            self._holder = execution.running
        return taken

    def release(self) -> None:
        execution = CONTROL.here()
        if execution is not None and not execution.aborting:
            execution.step(self._operation(execution, Kind.RELEASE))
        self._holder = None
        self._real.release()

    def locked(self) -> bool:
        execution = CONTROL.here()
        if execution is not None:
            execution.step(
                Operation(Kind.CHECK, (Effect(execution.number(self), WHOLE, writes=False),), site=self.site)
            )
        return self._real.locked()

    def _operation(self, execution: Execution, kind: Kind) -> Operation:
        effects = (Effect(execution.number(self), WHOLE, writes=True),)
        return Operation(kind, effects, site=self.site, subject=self)

    def _is_owned(self) -> bool:
        """What `threading.Condition` asks; the original has no owner either, so it tries and sees."""
        execution = CONTROL.here()
        if execution is not None and self._holder != execution.running and not execution.aborting:
            execution.step(self._operation(execution, Kind.CHECK))
        return self._real.locked()

    def _is_free(self) -> bool:
        return not self._real.locked()

    __enter__ = acquire

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _at_fork_reinit(self) -> None:
        self._holder = None
        if self._real.locked():
            self._real.release()

    def __repr__(self) -> str:
        return f"<{'locked' if self._real.locked() else 'unlocked'} lock>"


class ControlledRLock(Mirror):
    """Mirror of `threading.RLock`: the owner may take it again, and that is no visible step."""

    def __init__(self) -> None:
        self._lock = ControlledLock()
        self._owner: int | None = None
        self._count = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:  # noqa: FBT002 - the original's signature
        if self._owner == _thread.get_ident():
            self._count += 1
            return True
        self._lock.site = self.site
        taken = self._lock.acquire(blocking, timeout)
        if taken:
            self._owner = _thread.get_ident()
            self._count = 1
        return taken

    def release(self) -> None:
        if self._owner != _thread.get_ident():
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if self._count == 0:
            self._owner = None
            self._lock.release()

    __enter__ = acquire

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    # What `threading.Condition` asks of the lock it is given.

    def _is_owned(self) -> bool:
        return self._owner == _thread.get_ident()

    def _release_save(self) -> tuple[int, int | None]:
        if not self._is_owned():
            raise RuntimeError("cannot release un-acquired lock")
        saved = (self._count, self._owner)
        self._count, self._owner = 0, None
        self._lock.release()
        return saved

    def _acquire_restore(self, saved: tuple[int, int | None]) -> None:
        self._lock.acquire()
        self._count, self._owner = saved

    def _at_fork_reinit(self) -> None:
        self.__init__()  # type: ignore[misc]  # the original starts afresh in a forked child, so do we

    def __repr__(self) -> str:
        return f"<{'locked' if self._count else 'unlocked'} reentrant lock count={self._count}>"


def check_arguments(blocking: bool, timeout: float) -> None:
    """Refuse what the original refuses, with its words."""
    if not blocking and timeout != -1:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout < 0 and timeout != -1:
        raise ValueError("timeout value must be a non-negative number")
