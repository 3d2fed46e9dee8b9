"""A thread on its way through the last call before everything is killed."""

from dataclasses import dataclass

from racehound.processes import procfs
from racehound.processes.reading import Trap

CALL_IS_DONE = 20_000_000
"""Nanoseconds of its own time after which a thread is certainly past a call that does not wait."""


@dataclass(frozen=True, slots=True)
class Crash:
    thread: int
    cpu: int
    """What the thread had used before the call."""
    call: int
    """The number of the call."""

    @classmethod
    def after_call_of(cls, trap: Trap) -> "Crash":
        state = procfs.state_of(trap.thread)
        return cls(trap.thread, state.cpu if state is not None else 0, trap.number)

    def is_due(self) -> bool:
        """Whether the thread is past its call, where it makes no other that would tell.

        It may wait for a child that is not let go either: whoever starts a program is suspended until that runs.
        """
        state = procfs.state_of(self.thread)
        if state is None or state.asleep or state.call not in {None, self.call}:
            return True
        return state.cpu - self.cpu > CALL_IS_DONE
