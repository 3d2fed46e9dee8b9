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
    unjudged: set[str] = field(default_factory=set)
    """Paths beyond the sandbox that both commands change: nothing there is brought back between runs."""
    notes: list[str] = field(default_factory=list)
    cut_short: list[str] = field(default_factory=list)
    append_only: bool = False
    locked: bool = False
    """Whether a command was seen taking a lock."""
    tool_version: str = ""
    backend: str = ""
    limits: tuple[str, ...] = ()
    undecided: str = ""
    """Why some checks cannot be decided on this system."""
