"""One finding per fault: what several functions do wrong with the same field is told once, with all the places.

A field that nothing guards is one fault with one remedy, however many of its uses can be accused. The surest
finding tells it. Its fingerprint names the functions, so that a baseline does not hide one that is added later.
"""

from collections.abc import Sequence
from dataclasses import replace

from racehound.model.finding import Access, Finding
from racehound.rules.rule import fingerprint

_PER_FIELD = frozenset({"RH101", "RH102", "RH103", "RH105", "RH106", "RH107"})
_PER_FUNCTION = frozenset({"RH108", "RH301", "RH406"})
"""One call is crossed by all of the state that it counts on; what is changed is put back later."""

_GENERAL = "RH107"
_NAMED = 5
"""So many of the other places are named in the text."""


def together(findings: Sequence[Finding]) -> list[Finding]:
    """Where several findings are about one fault, the surest of them, with the others hung on it."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        if finding.rule in _PER_FIELD | _PER_FUNCTION:
            groups.setdefault(_about(finding), []).append(finding)
    several = [group for group in groups.values() if len(group) > 1]
    merged = {id(group[0]): _merged(group) for group in several}
    gone = {id(finding) for group in several for finding in group[1:]}
    return [merged.get(id(finding), finding) for finding in findings if id(finding) not in gone]


def _about(finding: Finding) -> tuple[object, ...]:
    subject = finding.subject
    if finding.rule in _PER_FUNCTION:
        return finding.rule, subject.path, finding.first.function
    return subject.path, subject.class_name, subject.fields


def _merged(group: list[Finding]) -> Finding:
    best = min(group, key=lambda finding: (finding.confidence.rank, finding.rule == _GENERAL))
    others = [finding for finding in group if finding is not best]
    places: dict[Access, None] = {}
    for finding in group:
        places.update(dict.fromkeys((finding.first, finding.second, *finding.further)))
    functions = dict.fromkeys(name for finding in (best, *others) for name in finding.subject.functions)
    fields = dict.fromkeys(name for finding in (best, *others) for name in finding.subject.fields)
    return replace(
        best,
        trigger=f"{best.trigger} {_the_same(best, others)}",
        subject=replace(best.subject, functions=tuple(functions), fields=tuple(fields)),
        further=tuple(place for place in places if place not in {best.first, best.second}),
        fingerprint=_fingerprint(best, others),
    )


def _the_same(best: Finding, others: Sequence[Finding]) -> str:
    """Such as: The same fault: `decr`, line 110 (RH102); `acquire`, line 207 (RH101)."""
    named = [
        f"`{item.first.function.rpartition('.')[2]}`, line {item.location.line}"
        + (f" ({item.rule})" if item.rule != best.rule else "")
        for item in others[:_NAMED]
    ]
    rest = len(others) - _NAMED
    return f"The same fault: {'; '.join(named)}{f'; {rest} more' if rest > 0 else ''}."


def _fingerprint(best: Finding, others: Sequence[Finding]) -> str:
    names = sorted({item.first.function for item in others} - {best.first.function})
    if not names:
        return best.fingerprint
    return fingerprint(best.rule, best.location.path, best.first.function, "\0".join((best.fingerprint, *names)))
