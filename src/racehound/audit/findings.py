"""What came to light while the pairs of one audit were raced."""

from dataclasses import dataclass, field

from racehound.audit.isolation import Isolation
from racehound.audit.refusal import Answer, Cancellation
from racehound.audit.search import Tally
from racehound.model.audit import CrashPoint, PairText


@dataclass(slots=True)
class Findings:
    tally: Tally = field(default_factory=Tally)
    pairs: list[PairText] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    cancellations: list[Cancellation] = field(default_factory=list)
    crashes: list[CrashPoint] | None = None
    isolation: Isolation | None = None
    masked: set[str] = field(default_factory=set)
    outside: set[str] = field(default_factory=set)
    kept_out: set[str] = field(default_factory=set)
    """Paths beyond the sandbox that commands wanted to change and could not."""
    unjudged: set[str] = field(default_factory=set)
    """Paths beyond the sandbox that both commands change: nothing there is brought back between runs."""
    unstoppable: set[str] = field(default_factory=set)
    """Files that both commands write through memory and without a lock: no schedule comes between those writes."""
    incomparable: set[str] = field(default_factory=set)
    """Files that both change and whose whole content differs between equal runs: no loss would be seen."""
    elsewhere: bool = False
    """Whether the view changes though the calls change no file: nothing there is brought back between runs."""
    notes: list[str] = field(default_factory=list)
    cut_short: list[str] = field(default_factory=list)
    unasked: bool = False
    """Whether there was no time to find out what a call is told that is kept out."""
    append_only: bool = False
    failing: bool = False
    """Whether a call ends with an error also when nothing runs beside it."""
    effective: bool | None = None
    """Whether a call changed something that is compared; None where none has been run."""
    locked: bool = False
    """Whether a command was seen taking a lock."""
    tool_version: str = ""
    backend: str = ""
    limits: tuple[str, ...] = ()
    undecided: str = ""
    """Why some checks cannot be decided on this system."""
