"""The questions of an audit and what the code answers."""

from dataclasses import dataclass
from enum import StrEnum

from racehound.model.finding import Finding


class Answer(StrEnum):
    YES = "yes"
    NO = "no"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    text: str
    answer: Answer
    is_good: bool | None
    """Whether the answer is the one to hope for; None where it is neither good nor bad, or there is none."""
    reason: str
    """A clause: what the answer rests on."""
    findings: tuple[Finding, ...] = ()
    """Those behind the answer."""


@dataclass(frozen=True, slots=True)
class Checklist:
    title: str
    questions: tuple[Question, ...]
