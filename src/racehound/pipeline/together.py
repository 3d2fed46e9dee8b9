"""One finding per fault: what several functions do wrong with the same field is told once, with all the places.

A field that nothing guards is one fault with one remedy, however many of its uses can be accused in the same way:
the surest finding tells it. That its uses have no lock in common is said by itself only where nothing else is. The
fingerprint names the functions, so that a baseline does not hide one that is added later; those of its parts are
kept, so that a baseline knows what is left when some of them are mended.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from racehound.model.finding import Access, Finding
from racehound.rules.rule import fingerprint

_PER_FIELD = frozenset({"RH101", "RH102", "RH103", "RH105", "RH106", "RH107"})
_PER_FUNCTION = frozenset({"RH102", "RH107", "RH108", "RH301", "RH302", "RH305", "RH401", "RH406"})
"""One lock is missing, or one await crossed, for all of the state of a function; what is changed is put back.

One set keeps all the tasks that a function starts.
"""
_PER_LOOK = frozenset({"RH101", "RH105", "RH106"})
"""What one look at a field leads to needs one lock, whatever can go wrong behind it."""
_PER_TARGET = frozenset({"RH108", "RH111", "RH309"})
"""What an object holds belongs to one call, or to one loop, wherever it is used; one lock stands for all."""
_PER_RIVAL = frozenset({"RH119", "RH314"})
"""Whoever takes the answers looks for all that is noted too late; all who rely on what is cleared miss it."""

_GENERAL = "RH107"
_LOOKS = frozenset({"reads", "checks"})
_NAMED = 5
"""So many of the other places are named in the text."""


def together(findings: Sequence[Finding]) -> list[Finding]:
    """Where several findings are about one fault, the surest of them, with the others hung on it."""
    found = list(findings)
    for about in (_of_field, _of_look, _of_target, _of_rival, _of_function):
        found = _grouped(found, about)
    return _grouped(found, _general_and_best(found))


def _general_and_best(findings: Sequence[Finding]) -> Callable[[Finding], object]:
    """Brings together what RH107 says of a field with the surest of what other rules say of it."""
    best: dict[object, Finding] = {}
    for finding in findings:
        if finding.rule in _PER_FIELD and finding.rule != _GENERAL:
            known = best.setdefault(_field(finding), finding)
            best[_field(finding)] = min(known, finding, key=_weakness)

    def about(finding: Finding) -> object:
        is_one = finding.rule == _GENERAL or best.get(_field(finding)) is finding
        return _field(finding) if is_one else None

    return about


def _grouped(findings: Sequence[Finding], about: Callable[[Finding], object]) -> list[Finding]:
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        key = about(finding)
        if key is not None:
            groups.setdefault(key, []).append(finding)
    several = [group for group in groups.values() if len(group) > 1]
    merged = {id(group[0]): _merged(group) for group in several}
    gone = {id(finding) for group in several for finding in group[1:]}
    return [merged.get(id(finding), finding) for finding in findings if id(finding) not in gone]


def _of_field(finding: Finding) -> object:
    return (finding.rule, _field(finding)) if finding.rule in _PER_FIELD else None


def _field(finding: Finding) -> tuple[str, str | None, tuple[str, ...]]:
    subject = finding.subject
    return subject.path, subject.class_name, subject.fields


def _of_look(finding: Finding) -> object:
    about = (_field(finding), finding.first.function, finding.location.line)
    return about if finding.rule in _PER_LOOK else None


def _of_target(finding: Finding) -> object:
    subject = finding.subject
    about = (finding.rule, subject.path, subject.class_name, subject.fields or finding.first.target)
    return about if finding.rule in _PER_TARGET else None


def _of_rival(finding: Finding) -> object:
    subject = finding.subject
    about = (finding.rule, subject.path, subject.class_name, finding.second.function)
    return about if finding.rule in _PER_RIVAL else None


def _of_function(finding: Finding) -> object:
    subject = finding.subject
    about = (finding.rule, subject.path, subject.class_name, finding.first.function, subject.lock)
    return about if finding.rule in _PER_FUNCTION else None


def _merged(group: list[Finding]) -> Finding:
    best = min(group, key=_weakness)
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
        parts=tuple(dict.fromkeys(part for finding in group for part in finding.parts or (finding.fingerprint,))),
    )


def _weakness(finding: Finding) -> tuple[int, bool, bool]:
    return finding.confidence.rank, finding.rule == _GENERAL, finding.first.action in _LOOKS


def _the_same(best: Finding, others: Sequence[Finding]) -> str:
    """Such as: The same fault: `decr`, line 110 (RH102); `acquire`, line 207 (RH101)."""
    named = [
        _elsewhere(best, item)
        + f"`{item.first.function.rpartition('.')[2]}`, line {item.location.line}"
        + (f" ({item.rule})" if item.rule != best.rule else "")
        for item in others[:_NAMED]
    ]
    rest = len(others) - _NAMED
    return f"The same fault: {'; '.join(named)}{f'; {rest} more' if rest > 0 else ''}."


def _elsewhere(best: Finding, other: Finding) -> str:
    """The field, where it is another one."""
    target = other.first.target
    return f"`{target}` in " if other.subject.fields and other.subject.fields != best.subject.fields else ""


def _fingerprint(best: Finding, others: Sequence[Finding]) -> str:
    names = sorted({item.first.function for item in others} - {best.first.function})
    if not names:
        return best.fingerprint
    return fingerprint(
        best.rule, best.home or best.location.path, best.first.function, "\0".join((best.fingerprint, *names))
    )
