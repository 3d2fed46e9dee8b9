"""What came out of running commands under observation."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from racehound.processes.calls import FileCall

Actor = Literal["first", "second"]


class Run(NamedTuple):
    """One command from its start to its end. A tuple, as it crosses from the keeper."""

    status: int | None
    """Exit status; None if a signal ended it."""
    signal: int | None
    stdout: bytes
    stderr: bytes
    calls: tuple[FileCall, ...]
    cpu: float
    """Seconds, of the command and everything it started."""
    ended: bool
    """Whether it ended by itself; False when it had to be ended."""
    why: str
    """Why it was ended, or what could not be observed of it; empty when there is nothing to say."""
    limits: tuple[str, ...] = ()
    """What the command did that cannot be followed: mapped writes, io_uring, programs of another architecture."""
    left_behind: int = 0
    """Processes that were still there after the command had ended, and were ended too."""


class Step(NamedTuple):
    """A call of an interleaving, in the order in which they were let through."""

    actor: Actor
    call: FileCall
    stopped: bool = False
    """Whether its command was stopped just before this call so that the other could run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interleaving:
    """Two commands, of which one ran while the other was stopped."""

    first: Run
    second: Run
    reached: bool
    """Whether the first command came to the point at all; if not, the second ran after it."""
    second_waited: bool
    """Whether the second was seen waiting."""
    steps: tuple[Step, ...]
    first_waited: bool = False
    second_gave_way: bool = False
    """Whether the second still waited when its time was over, so that the first went on before it."""
    left_out: tuple[str, ...] = ()
    """Points of `then` that were not reached."""
