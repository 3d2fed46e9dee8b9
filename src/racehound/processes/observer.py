"""How the calls of commands are stopped; one kind of observer per way the kernel offers."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from racehound.processes.launch import Launch, Started
from racehound.processes.reading import Trap


class Stopped(NamedTuple):
    """The command with this number stands before a call."""

    actor: int
    trap: Trap


class Returned(NamedTuple):
    """A call that was let go has happened."""

    actor: int
    thread: int
    result: int


class Gone(NamedTuple):
    """A process ended."""

    process: int
    status: int
    cpu: float


Event = Stopped | Returned | Gone
IsDull = Callable[[int, int, list[int]], bool]
"""Whether a call (thread, number, arguments) is of no interest: asked first, as nearly all calls are dull."""


class Observer(Protocol):
    """Stops calls, and lets them go when told to. Commands have the numbers 0 and 1.

    A trap that is not let go keeps its thread stopped; a thread that is killed meanwhile just ends.
    """

    @property
    def sees_results(self) -> bool:
        """Whether the return of each call that is let go with `tell` is an event."""

    def launch(self, actor: int, launch: Launch) -> Started: ...
    def descriptors(self) -> Mapping[int, int]:
        """What becomes readable when a command stops, with the command's number."""

    def receive(self, actor: int) -> Event | None:
        """What the descriptor of this command has to say."""

    def changed(self, process: int, status: int, cpu: float) -> Event | None:
        """What a change of state of a process means, of which the kernel tells a parent."""

    def let(self, actor: int, trap: Trap, *, tell: bool) -> bool:
        """False if the thread is no longer there, or was interrupted by a signal and will come again."""

    def refuse(self, actor: int, trap: Trap, error: int) -> None:
        """Lets the call fail with this error number."""

    def close(self) -> None: ...
