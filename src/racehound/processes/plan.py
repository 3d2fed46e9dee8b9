"""What is to be carried out: which commands, where they are stopped, and what is done there.

A plan crosses to the keeper process, and an answer back, as it is: both consist of values alone, and are tuples,
which cross several times faster than other classes of values.
"""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from racehound.processes.calls import Detail, Point, detail_of
from racehound.processes.launch import Launch
from racehound.processes.outcome import Run, Step


class AtPoint(Enum):
    SWITCH = "switch"
    """The other command runs."""
    CRASH = "crash"
    """Everything is killed as soon as the call has happened."""
    SIGNAL = "signal"
    """The command gets a signal and goes on."""


class AtWait(Enum):
    RESUME = "resume"
    """The other command, which is stopped, goes on."""
    SIGNAL = "signal"
    """The one that waits gets a signal."""


class Patience(NamedTuple):
    """How long two commands may take."""

    seconds: float
    """Both together; what has not ended by then is ended."""
    spin: float = 5.0
    """Of processor time; a command that has used more and does nothing new waits without sleeping."""


class Plan(NamedTuple):
    launches: tuple[Launch, ...]
    timeout: float
    points: tuple[Point, ...] = ()
    """The first belongs to the first command, the next to the second, and so on in turns."""
    at_point: AtPoint = AtPoint.SWITCH
    at_wait: AtWait = AtWait.RESUME
    signal: int = 0
    hold: float = 0.0
    """How many seconds a command that waits is left waiting before the other goes on."""
    spin: float = Patience(0.0).spin
    """See `Patience`."""
    detail: Detail = Detail.OPENS
    observed: bool = True
    together: bool = False
    """Both commands are started at once, and neither is ever stopped."""
    backend: str = ""
    """Its name; by default the first that works."""
    lean: bool = False
    """Calls are seen only of the kinds that points name. Given up, as runs that were ended, is what cannot be
    carried out like that: where a command waits, does several things at once, or leaves something behind."""

    def kinds(self, number: int) -> frozenset[str] | None:
        """What has to be seen of a command; None for everything.

        Programs that are started are seen as well: they have memory of their own, from which paths are to be read.
        """
        if not self.lean:
            return None
        points = frozenset(point.call for point in self.points[number::2])
        return points | {"exec"} if points else points

    @property
    def least_detail(self) -> Detail:
        """Enough to see every point."""
        return max((self.detail, *(detail_of(point.call) for point in self.points)))


class Greeting(NamedTuple):
    """What the keeper says first."""

    process: int
    private: bool
    """Whether the sandbox has the places for everybody's temporary files for itself."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Asks which backends work."""


class Answer(NamedTuple):
    """What came of a plan: runs and waits are those of its commands, in the same order."""

    runs: tuple[Run, ...]
    steps: tuple[Step, ...]
    reached: tuple[bool, ...]
    waited: tuple[bool, ...]
    gave_way: tuple[bool, ...]
    """Whether the command was still waiting when the other went on."""
