"""What an audit of two commands found out; every format of the report is a pure function of it."""

from dataclasses import dataclass
from enum import StrEnum


class Harm(StrEnum):
    """The ways in which two calls can break each other."""

    LOST_UPDATE = "lost update"
    LOST_ENTRY = "lost entry"
    TORN = "torn file"
    MIXED = "mixed outcome"
    FAILED_BUT_APPLIED = "failed but applied"
    BOTH_FAILED = "both failed"
    CRASH = "crash"
    LEFTOVER = "leftover file"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCall:
    """A file call as a report draws it; `task` is 0 for the first command, 1 for the second."""

    task: int
    call: str
    path: str
    switch: bool = False
    """True where control came here from the other command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """An outcome that no serial order gives; seen twice with the same schedule before it is reported."""

    schedule: int
    """1 for the first schedule that was tried."""
    pair: str
    point: str
    what: Harm
    detail: str
    lost: tuple[str, ...] = ()
    token: str = ""
    cache_only: bool = False
    """True where all that differs is a cache, which can be made anew."""
    held: bool = False
    """True where the stopped call was held until the other one had given up waiting for it."""
    steps: tuple[DrawnCall, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CrashPoint:
    """What the next call meets after the first one was ended at a point."""

    point: str
    signal: str
    state: str
    """`old`, `new`, `between` (some files old, some new, each whole) or `torn`; judged after the next call."""
    stuck: bool = False
    """The next call was kept out by what the dead one left."""
    leftovers: tuple[str, ...] = ()
    avoidable: bool = False
    """Something is left under a name that the next call uses, too, or by a call that could have removed it."""
    detail: str = ""

    @property
    def is_fine(self) -> bool:
        return self.state != "torn" and not self.stuck and not self.leftovers

    @property
    def when(self) -> str:
        """Killed as soon as the call has happened, but asked to stop when it is about to."""
        return f"{self.signal} {'after' if self.signal == 'SIGKILL' else 'at'} {self.point}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One line of the rubric."""

    id: str
    title: str
    passed: bool
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairText:
    """Two commands that were raced, as a person would type them."""

    name: str
    first: str
    second: str
    setup: tuple[str, ...] = ()
    serial: str = ""
    """What running them one after the other gives, in short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to change, and where, if the tool's source is known."""

    text: str
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What the call that lost said, for the record."""

    command: str
    status: int | None
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Whether two commands can be called in parallel, and what was seen of it."""

    score: int
    verdict: str
    """`race`, `bounded` (every point tried, with one or two switches), `sampled` or `inconclusive`."""
    reason: str
    pairs: tuple[PairText, ...]
    schedules: int
    violations: tuple[Violation, ...]
    refused: int
    serial: int
    waited: int
    crash_points: tuple[CrashPoint, ...]
    checks: tuple[Check, ...]
    flags: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    masked: tuple[str, ...] = ()
    """Parts of the state that differ between equal serial runs and were not compared."""
    outside: tuple[str, ...] = ()
    """Paths beyond its own directories that a command tried to change."""
    backend: str = ""
    limits: tuple[str, ...] = ()
    unstable: int = 0
    """Suspicions that a second run of the same schedule did not confirm."""
    notes: tuple[str, ...] = ()
    date: str = ""
    tool_version: str = ""
    sample: Sample | None = None

    @property
    def commands(self) -> tuple[str, ...]:
        """Each command once, in the order in which they were raced."""
        return tuple(dict.fromkeys(text for pair in self.pairs for text in (pair.first, pair.second)))
