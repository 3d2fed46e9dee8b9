"""What the static hunt accuses: two operations that can meet, and why that hurts."""

from dataclasses import dataclass
from enum import StrEnum

from racehound.model.location import Location
from racehound.model.rule import Severity


class Confidence(StrEnum):
    """How sure the hunt is; `possible` is shown only when asked for."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"

    @property
    def rank(self) -> int:
        """0 for the surest."""
        return list(Confidence).index(self)

    @property
    def is_shown(self) -> bool:
        """True for what is told without being asked for."""
        return self is not Confidence.POSSIBLE


class Grade(StrEnum):
    """`gil` breaks on every build; `free-threaded` needs a build without the GIL or forced scheduling."""

    GIL = "gil"
    FREE_THREADED = "free-threaded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One of the two operations that meet."""

    location: Location
    function: str
    """Qualified name of the function that holds it, such as `CircuitBreaker.record_failure`."""
    action: str
    """A verb: reads, writes, updates, checks, iterates, resizes, acquires."""
    target: str
    """What it touches, as the source says it: `self._failures`."""
    context: str
    """Where it runs: "a pool thread started at executor.py:40", "any thread that calls `reset`"."""
    locks: tuple[str, ...] = ()
    """Locks that are certainly held there, as the source says them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The code that a proof races and a patch changes."""

    path: str
    """The file as it can be opened from the current directory."""
    class_name: str | None
    """Qualified name within the module, or None for module functions and globals."""
    functions: tuple[str, ...]
    """Names of the methods or functions worth racing, the two of the finding first."""
    fields: tuple[str, ...]
    """The attributes or globals in question, without `self.`."""
    lock: str | None = None
    """Attribute or global that other accesses hold, if any."""
    coroutines: bool = False
    """True where both operations are coroutines: a lock of asyncio is what they can hold."""
    unpatched: str | None = None
    """Why no patch is made, where a lock of the class or of the module would be in the wrong place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """An accusation; `fingerprint` survives unrelated edits above it."""

    rule: str
    name: str
    location: Location
    severity: Severity
    confidence: Confidence
    grade: Grade
    message: str
    race_type: str
    trigger: str
    impact: str
    evidence: str
    first: Access
    second: Access
    subject: Subject
    fingerprint: str
    doubt: str = ""
    """What keeps it from being surer; empty where it is certain."""
    remedy: str = ""
    """What the rule advises, whether or not a patch can be made."""
    further: tuple[Access, ...] = ()
    """Other operations that take part, or have the same fault."""
    parts: tuple[str, ...] = ()
    """Fingerprints of the findings that it tells together; none where it tells only itself."""
    home: str = ""
    """The path within the project, which the fingerprint is made of; empty where that is the one of `location`."""

    def __post_init__(self) -> None:
        if (self.confidence is Confidence.CERTAIN) == bool(self.doubt):
            raise ValueError(f"a finding that is {self.confidence} with the doubt {self.doubt!r}")
