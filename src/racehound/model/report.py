from dataclasses import dataclass, field

from racehound.model.checklist import Checklist
from racehound.model.finding import Finding
from racehound.model.patch import Patch
from racehound.model.proof import Proof
from racehound.model.rule import RuleText

UNREADABLE = "unreadable"
UNUSED = "unused-suppression"
INVALID = "invalid-suppression"
MISDECLARED = "invalid-declaration"
DEFECT = "internal-error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A finding and what became of it."""

    finding: Finding
    proof: Proof | None = None
    patch: Patch | None = None
    patch_reason: str = ""
    """Why there is no patch, where one was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """Something about a file that is no finding: it cannot be parsed, or a comment in it silences nothing."""

    path: str
    message: str
    line: int = 0
    kind: str = UNREADABLE
    """What it is about, in a word that stays: `unreadable`, `unused-suppression`."""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        kind = "" if self.kind == UNREADABLE else f" [{self.kind}]"
        return " ".join(f"{place}: {self.message}{kind}".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Consecutive lines of a file, from `line` on."""

    path: str
    line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    files: int = 0
    lines: int = 0
    unparsed: int = 0
    """Files that were not analysed: nothing asked for it, or, with a line each, they cannot be."""
    rules: dict[str, int] = field(default_factory=dict)
    """How many findings each rule has."""
    verdicts: dict[str, int] = field(default_factory=dict)
    """How many proofs ended with each verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that a run found out; every format is a pure function of it."""

    cases: tuple[Case, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    statistics: Statistics = field(default_factory=Statistics)
    rules: tuple[RuleText, ...] = ()
    """The rules that the findings are of."""
    excerpts: tuple[Excerpt, ...] = ()
    """The source around the operations of the findings."""
    checklists: tuple[Checklist, ...] = ()
    """Answered where somebody asked."""
    known: int = 0
    """Findings that a baseline holds already; they are no cases."""
