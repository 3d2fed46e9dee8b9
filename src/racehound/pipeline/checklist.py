"""The four checklists of an audit, answered from the findings and from what there is in the code.

Findings come first: they say what goes wrong. Where there are none, the code itself is asked; that nothing was
found is a good answer only where there is something that could have been. A question about something that the code
does not have does not apply, and one whose rules did not run is not answered.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from racehound.model.checklist import Answer, Checklist, Question
from racehound.model.finding import Finding
from racehound.pipeline.census import Census
from racehound.pipeline.checklist_items import CHECKLISTS, Item
from racehound.pipeline.verdicts import Verdict, named


class Evidence(NamedTuple):
    findings: Sequence[Finding]
    weaker: Sequence[Finding]
    """Those that are less sure than what was asked for."""
    census: Census
    ran: frozenset[str]
    """The codes of the rules that were asked."""


def answer_checklists(
    findings: Sequence[Finding], census: Census, ran: Iterable[str], weaker: Sequence[Finding] = ()
) -> tuple[Checklist, ...]:
    """All questions in their order."""
    evidence = Evidence(findings, weaker, census, frozenset(ran))
    return tuple(
        Checklist(title, tuple(_answer(item, evidence) for item in items)) for title, items in CHECKLISTS.items()
    )


def _answer(item: Item, evidence: Evidence) -> Question:
    verdict = item.judge(evidence.census)
    behind, weaker = _about(item, evidence.findings), _about(item, evidence.weaker)
    if behind:
        places = verdict.places if verdict.answer is item.found else ()
        return _question(item, item.found, _because(behind, places), is_good=False, findings=behind)
    if item.rules and not evidence.ran.intersection(item.rules) and verdict.answer is not item.found:
        return _question(item, Answer.NOT_APPLICABLE, "the rules for it were not run")
    if weaker:
        is_seen = verdict.answer is item.found
        reason = _reason(verdict) if is_seen else "there are only weaker signs"
        reason = f"{reason}; {_because(weaker, ())} of less confidence"
        return _question(item, item.found, reason, findings=weaker)
    return _question(item, verdict.answer, _reason(verdict), is_good=verdict.is_good)


def _about(item: Item, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.rule in item.rules and item.concerns(finding))


def _question(
    item: Item, answer: Answer, reason: str, *, is_good: bool | None = None, findings: tuple[Finding, ...] = ()
) -> Question:
    good = is_good if item.is_problem else None
    return Question(text=item.text, answer=answer, is_good=good, reason=reason, findings=findings)


def _because(findings: Sequence[Finding], places: Sequence[object]) -> str:
    count = f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"
    return "; ".join(filter(None, (count, named(places))))


def _reason(verdict: Verdict) -> str:
    return ": ".join(filter(None, (verdict.reason, named(verdict.places))))
