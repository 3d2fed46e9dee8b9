"""How rules accuse operations that are not uses of one field: a task and its end, a look at a file and its use."""

from dataclasses import dataclass

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.state.cells import plain_name
from racehound.analysis.testfiles import is_written_as_test
from racehound.model.doubt import Sureness, weaker
from racehound.model.finding import Access, Finding, Grade, Subject
from racehound.model.location import Location
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.naming import in_words
from racehound.rules.rule import Rule, fingerprint, home_of, unpatched_closure
from racehound.source.events import Span
from racehound.source.facts import FunctionFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One of the operations that meet."""

    function: FunctionFacts
    span: Span
    action: str
    target: str
    context: str
    locks: tuple[str, ...] = ()
    is_raced: bool = True
    """False for one that brings the other about, or follows from it: a proof does not run the two at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    first: Step
    """The one to accuse."""
    second: Step
    trigger: str
    confidence: Sureness
    fields: tuple[str, ...] = ()
    lock: str | None = None
    evidence: tuple[Step, ...] = ()
    """The operations to show; the two steps where nothing else is given."""
    others: tuple[FunctionFacts, ...] = ()
    """Further functions that take part."""
    grade: Grade = Grade.GIL
    impact: str = ""
    """What comes of it, if it is not what the rule says of all its findings."""
    remedy: str = ""
    """What to do, if it is not what the page says."""


def report(rule: Rule, incident: Incident, **facts: str) -> Finding:
    """Fills the message template of the rule with `facts`."""
    meta, step = rule.meta, incident.first
    sure = incident.confidence
    if rule.spares_tests and is_written_as_test(step.function):
        sure = weaker(sure, MeetingDoubt.IN_A_TEST.possible)
    location = _location(step)
    text = " ".join(_line(step).split("#")[0].split())
    return Finding(
        rule=meta.code,
        name=meta.name,
        location=location,
        severity=meta.severity,
        confidence=sure.confidence,
        doubt=sure.reason,
        grade=incident.grade,
        message=in_words(meta.summary.format(**facts)),
        race_type=meta.race_type,
        trigger=in_words(incident.trigger),
        impact=incident.impact or meta.impact,
        evidence=_evidence(incident),
        first=_access(step),
        second=_access(incident.second),
        subject=_subject(incident),
        fingerprint=fingerprint(meta.code, home_of(step.function), step.function.qualified_name, text),
        home=step.function.module.home,
        remedy=incident.remedy or rule.remedy,
        further=tuple(_access(item) for item in incident.evidence if item not in {step, incident.second}),
    )


def _location(step: Step) -> Location:
    line, column, end_line, end_column = step.span
    return Location(
        path=step.function.module.path,
        line=line,
        column=column + 1,
        end_line=end_line,
        end_column=end_column + 1,
    )


def _access(step: Step) -> Access:
    return Access(
        location=_location(step),
        function=step.function.qualified_name,
        action=step.action,
        target=step.target,
        context=step.context,
        locks=step.locks,
    )


def _subject(incident: Incident) -> Subject:
    first = incident.first.function
    raced = (step.function for step in (incident.first, incident.second) if step.is_raced)
    involved = (*raced, *incident.others)
    owner = first.owner
    return Subject(
        path=first.module.path,
        class_name=None if owner is None else owner.qualified_name,
        functions=tuple(dict.fromkeys(outer_method(function).name for function in involved)),
        fields=tuple(map(plain_name, incident.fields)),
        lock=incident.lock,
        coroutines=first.is_async and incident.second.function.is_async,
        unpatched=next(filter(None, (unpatched_closure(field, first) for field in incident.fields)), None),
    )


def _line(step: Step) -> str:
    return step.function.module.line(step.span.line)


def _evidence(incident: Incident) -> str:
    steps = incident.evidence or (incident.first, incident.second)
    lines = {(str(_location(step))): f"{_line(step).strip()}  # line {step.span.line}" for step in steps}
    return "\n".join(lines.values())
