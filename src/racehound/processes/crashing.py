"""A thread on its way through the last call before everything is killed."""

from dataclasses import dataclass

from racehound.processes import procfs

CALL_IS_DONE = 20_000_000
"""Nanoseconds of its own time after which a thread is certainly past a call that does not wait."""


@dataclass(frozen=True, slots=True)
class Crash:
    thread: int
    cpu: int
    """What the thread had used before the call."""

    @classmethod
    def after_call_of(cls, thread: int) -> "Crash":
        state = procfs.state_of(thread)
        return cls(thread, state.cpu if state is not None else 0)

    def is_due(self) -> bool:
        """Whether the thread is past its call, where it makes no other that would tell."""
        state = procfs.state_of(self.thread)
        return state is None or state.asleep or state.cpu - self.cpu > CALL_IS_DONE
