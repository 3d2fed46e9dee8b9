"""A lock that is held for moments only.

The methods of a future hold its lock while they look at its state or change it. Nobody can tell the moment at
which they give it back from the one at which they took it, unless something that can be seen happens in between.
So taking it is the one step that is published. Whoever comes while it is held still has to wait.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from racehound.engine.control import CONTROL
from racehound.engine.operation import WHOLE, Kind, Operation, single_effect
from racehound.primitives.lock import ControlledRLock


class BriefLock(ControlledRLock):
    """As `threading.RLock`, but for the steps."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:  # noqa: FBT002 - the original's signature
        self._publish(writes=True)
        taken: bool = self._real.acquire(blocking, timeout)
        self._count += taken
        return taken

    __enter__ = acquire

    @contextmanager
    def held_to_look(self) -> Iterator[None]:
        """Within this context the lock is held, and nothing is changed."""
        self._publish(writes=False)
        taken: bool = self._real.acquire()
        self._count += taken
        try:
            yield
        finally:
            self.release()

    def _publish(self, *, writes: bool) -> None:
        execution = CONTROL.in_charge()
        if execution is not None and not self._is_owned():
            effects = single_effect(execution.number(self), WHOLE, writes)
            execution.step(Operation(_KINDS[writes], effects, self.site, self, ready=self.is_free))

    def release(self) -> None:
        if self._is_owned() or CONTROL.in_charge() is None:  # else a task that is unwound did not get it
            self._count -= self._is_owned()
            self._real.release()


_KINDS: Final = {True: Kind.CALL, False: Kind.READ}
