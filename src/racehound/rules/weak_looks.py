"""The part of RH101 that speaks of weak tables: an entry goes when its value does, without any thread."""

from collections.abc import Iterator

from racehound.analysis.gaps import Gap, gaps_of
from racehound.analysis.hazards import Hazard, hazard
from racehound.analysis.meeting import Owner
from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding, Grade
from racehound.rules.rule import Accusation, Rule, seen_from
from racehound.source.events import Action
from racehound.source.facts import ClassFacts

_WEAK = "WeakValueDictionary"
_RAISED = frozenset({"KeyError", "LookupError", "Exception"})


def accuse_weak_tables(rule: Rule, program: Program) -> Iterator[Finding]:
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
                    yield _accuse(rule, program, owner, field, gap)


def _is_missed(gap: Gap) -> bool:
    """True if the entry is read as if it were there, and nobody reckons with the error."""
    plain = gap.act.use.touch.action is Action.READ and not gap.act.use.touch.method
    return plain and not any(attempt.guards(gap.act.at, _RAISED) for attempt in gap.function.attempts)


def _accuse(rule: Rule, program: Program, owner: Owner, field: str, gap: Gap) -> Finding:
    look, act = seen_from(gap.function, gap.check), seen_from(gap.function, gap.act)
    target = f"{look.touch.place}{gap.check.key or ''}"
    accusation = Accusation(
        owner=owner,
        field=field,
        first=look,
        second=act,
        trigger=(
            f"`{gap.function.name}` finds `{target}`; before it reads it, the last reference to the value goes, "
            "or the collector takes it, and the entry with it."
        ),
        confidence=Confidence.LIKELY,
        grade=Grade.GIL,
    )
    return rule.accuse(program, accusation, target=target, function=gap.function.name)
