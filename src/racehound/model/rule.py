"""What a rule says of itself: the source of `rules`, `explain`, the docs pages and SARIF."""

from dataclasses import dataclass, field
from enum import StrEnum
from textwrap import dedent


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleMeta:
    """The facts of a rule; `summary` is the message template whose fields `accuse` fills."""

    code: str
    name: str
    summary: str
    severity: Severity
    race_type: str
    impact: str
    since: str
    tags: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule as other programs show it: its facts and its page, in Markdown."""

    meta: RuleMeta
    page: str
    gist: str = ""
    """What it accuses, in one sentence."""


@dataclass(frozen=True, slots=True)
class Bad:
    """Code that the rule accuses on each line that ends with `# RH`; `fixed` is what the fix makes of it."""

    source: str
    fixed: str | None = None
    is_possible: bool = False
    """The finding is too unsure to be shown unless somebody asks for it."""

    @property
    def code(self) -> str:
        return dedent(self.source).lstrip("\n")

    @property
    def fixed_code(self) -> str:
        return dedent(self.fixed or "").lstrip("\n")


@dataclass(frozen=True, slots=True)
class Good:
    """The near miss: the code most like a bad example that is right."""

    source: str

    @property
    def code(self) -> str:
        return dedent(self.source).lstrip("\n")
