"""What `threading.Condition` needs to wait under control.

The original is exact as it stands: its queue of waiters changes only while its lock is held, and that lock is
a mirror. Each waiter sleeps on a lock of its own, held from the beginning; here that lock is a place to wait
whose taking and releasing are published as what they mean.
"""

import threading
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.mirror import Mirror
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.primitives.clock import passing_of_time, wake_up
from racehound.primitives.lock import ControlledLock
from racehound.primitives.replacement import Replacement


class Waiter(ControlledLock):
    """The lock on which one call of `Condition.wait` sleeps."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:  # noqa: FBT002 - the original's signature
        execution = CONTROL.in_charge()
        if execution is None:
            return bool(self._real.acquire(blocking, timeout))
        if not self._real.locked():
            return bool(self._real.acquire(blocking=False))  # nobody else knows of it yet
        effects: tuple[Effect, ...] = (Effect(execution.number(self), WHOLE, writes=True),)
        if not blocking:  # a wait for no time
            now, until = execution.now, execution.after(0)
            effects += (passing_of_time(execution),) if until > now else ()
            execution.step(Operation(Kind.TRY_ACQUIRE, effects, site=CONTROL.site))
            wake_up(execution, until)
            return bool(self._real.acquire(blocking=False))
        deadline = None if timeout == -1 else execution.after(timeout)
        execution.step(
            Operation(
                Kind.WAIT,
                effects,
                site=CONTROL.site,
                label="condition",
                ready=self.is_free,
                deadline=deadline,
            )
        )
        return bool(self._real.acquire(blocking=False))

    def release(self) -> None:
        execution = CONTROL.in_charge()
        if execution is not None and not execution.aborting:
            effect = Effect(execution.number(self), WHOLE, writes=True)
            execution.step(Operation(Kind.NOTIFY, (effect,), site=CONTROL.site, label="condition"))
        self._real.release()


_enter = threading.Condition.__enter__


def enter(self: Any) -> bool:
    """One that was made before it was under control takes the mirror of its lock."""
    if CONTROL.in_charge() is not None and CONTROL.mirror_of is not None and not isinstance(self._lock, Mirror):
        waiters = self._waiters
        threading.Condition.__init__(self, CONTROL.mirror_of(self._lock))  # type: ignore[arg-type]  # a stand-in
        self._waiters = waiters
    return _enter(self)


REPLACEMENTS: Final = (
    Replacement(threading, "_allocate_lock", Waiter),
    Replacement(threading.Condition, "__enter__", enter),
)
