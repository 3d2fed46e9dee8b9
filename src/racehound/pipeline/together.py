"""One finding per fault: what many functions do wrong with the same field is told once, with all the places."""

from collections.abc import Sequence
from dataclasses import replace

from racehound.model.finding import Access, Finding

_PER_FIELD = frozenset({"RH101", "RH102", "RH103", "RH107"})
_PER_FUNCTION = frozenset({"RH301", "RH406"})
"""One await is crossed by all of the state that a coroutine counts on; what is changed is put back later."""

_FEW = 3
"""So many are told one by one: each has a line of its own to look at."""


def together(findings: Sequence[Finding]) -> list[Finding]:
    """Where a rule has many findings about one field, the surest of them, with the others hung on it."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        if finding.rule in _PER_FIELD | _PER_FUNCTION:
            groups.setdefault(_about(finding), []).append(finding)
    large = [group for group in groups.values() if len(group) > _most(group[0])]
    merged = {id(group[0]): _merged(group) for group in large}
    gone = {id(finding) for group in large for finding in group[1:]}
    return [merged.get(id(finding), finding) for finding in findings if id(finding) not in gone]


def _most(finding: Finding) -> int:
    return _FEW - 1 if finding.rule in _PER_FUNCTION else _FEW


def _about(finding: Finding) -> tuple[object, ...]:
    subject = finding.subject
    if finding.rule in _PER_FUNCTION:
        return finding.rule, subject.path, finding.first.function
    return finding.rule, subject.path, subject.class_name, subject.fields


def _merged(group: list[Finding]) -> Finding:
    best = min(group, key=lambda finding: finding.confidence.rank)
    places: dict[Access, None] = {}
    for finding in group:
        places.update(dict.fromkeys((finding.first, finding.second, *finding.further)))
    return replace(best, further=tuple(place for place in places if place not in {best.first, best.second}))
