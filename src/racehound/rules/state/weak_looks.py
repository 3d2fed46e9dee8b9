"""The part of RH101 that speaks of entries that go when an object does, or by a signal, without any thread."""

from collections.abc import Iterator
from dataclasses import replace

from racehound.analysis.program import Program
from racehound.analysis.state.compound import is_interruptible
from racehound.analysis.state.gaps import Gap, gaps_of
from racehound.analysis.state.hazards import Hazard, hazard
from racehound.analysis.state.meeting import Owner
from racehound.analysis.threads.interruptions import Interruption, interruptions, uses_of
from racehound.model.finding import Finding, Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.rules.rule import Accusation, Rule, seen_from
from racehound.rules.state.interrupted import interrupted, what_comes
from racehound.source.events import Action
from racehound.source.facts import ClassFacts

_WEAK = "WeakValueDictionary"
_RAISED = frozenset({"KeyError", "LookupError", "Exception"})


def accuse_weak_tables(rule: Rule, program: Program) -> Iterator[Finding]:
    for found in interruptions(program):
        for gap in gaps_of(program, found.owner).of(found.field) if _takes_seen(program, found) else ():
            if hazard(gap) is Hazard.MISSING and _is_missed(gap) and _is_open(program, found, gap):
                accused = _accusation(found.owner, found.field, gap, what_comes(found.context))
                accused = replace(accused, second=found.change, confidence=found.confidence)
                yield _tell(rule, program, interrupted(accused, found.context), gap)
    for module in program.modules:
        if _WEAK in module.callers or f"weakref.{_WEAK}" in module.imports.values():
            yield from _owner(rule, program, module)
            for item in module.classes:
                yield from _owner(rule, program, item)


def _owner(rule: Rule, program: Program, owner: Owner) -> Iterator[Finding]:
    fields = program.fields
    uses_of = fields.of_class(owner) if isinstance(owner, ClassFacts) else fields.of_module(owner)
    for field in uses_of:
        if f"weakref.{_WEAK}" in fields.kinds(owner, field):
            for gap in gaps_of(program, owner).of(field):
                if hazard(gap) is Hazard.MISSING and _is_missed(gap):
                    yield _tell(rule, program, _accusation(owner, field, gap, _WITH_VALUE), gap)


def _is_missed(gap: Gap) -> bool:
    """True if the entry is read as if it were there, and nobody reckons with the error."""
    plain = gap.act.use.touch.action is Action.READ and not gap.act.use.touch.method
    return plain and not any(attempt.guards(gap.act.at, _RAISED) for attempt in gap.function.attempts)


def _takes_seen(program: Program, found: Interruption) -> bool:
    return found.takes_out and bool(uses_of(program, found))


def _is_open(program: Program, found: Interruption, gap: Gap) -> bool:
    """True if something may come between the look and the act, and nothing keeps it out."""
    known = {(use.function, use.index) for use in uses_of(program, found)}
    seen = all((step.use.function, step.use.index) in known for step in (gap.check, gap.act))
    return seen and is_interruptible(gap.function, gap.check.at, gap.act.at)


def _accusation(owner: Owner, field: str, gap: Gap, comes: str) -> Accusation:
    look, act = seen_from(gap.function, gap.check), seen_from(gap.function, gap.act)
    target = f"{look.touch.place}{gap.check.key or ''}"
    return Accusation(
        owner=owner,
        field=field,
        first=look,
        second=act,
        trigger=f"`{gap.function.name}` finds `{target}`; before it reads it, {comes}, and the entry is gone.",
        confidence=MeetingDoubt.INTERRUPTS.likely,
        grade=Grade.GIL,
        evidence=(look, act),
    )


def _tell(rule: Rule, program: Program, accusation: Accusation, gap: Gap) -> Finding:
    target = f"{accusation.first.touch.place}{gap.check.key or ''}"
    return rule.accuse(program, accusation, target=target, function=gap.function.name)


_WITH_VALUE = "the last reference to the value goes, or the collector takes it"
