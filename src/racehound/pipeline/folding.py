"""One finding per defect: what two rules say of one function and one field is told by the stronger of them.

RH107 knows of every field that a lock does not cover; the others know what goes wrong there. Where one of them is
as sure, it keeps its finding and takes up what RH107 says, as a note and with the places, also of another field:
that the function goes without the lock is one defect, with one remedy. So does RH104 with what
RH103 says of the same loop: it breaks without any other thread. Where the author has declared a lock, RH115 speaks
for all: it knows which lock is wanted. What its author has answered is told by nobody: a silenced finding hangs on
no other one, and one that speaks for others is silenced with them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from racehound.model.finding import Finding

_DECLARED = "RH115"
_GUARD = "RH107"
_SPECIFIC = ("RH101", "RH102", "RH104", "RH105", "RH106", "RH109", "RH113", "RH116")
_VAGUENESS = {_GUARD: 3, "RH103": 2, **dict.fromkeys(_SPECIFIC, 1), _DECLARED: 0}
"""Of two rules that are equally vague each tells its own."""

_Defect: TypeAlias = tuple[str, str, tuple[str, ...]]
_Missing: TypeAlias = tuple[str, str, str | None]


def folded(found: Sequence[Finding], is_silenced: Callable[[Finding], bool] = lambda _: False) -> list[Finding]:
    """The findings in their order, without those that another one tells; none tells a silenced one."""
    heads, without_lock = _heads(found), _without_lock(found)
    notes: dict[int, list[Finding]] = {}
    told: set[int] = set()
    for item in found:
        head = heads.get(_defect(item), item) if item.rule in _VAGUENESS else item
        if head is item and item.rule == _GUARD:
            head = without_lock.get(_missing(item), item)
            head = heads.get(_defect(head), head)
        if _VAGUENESS.get(item.rule) != _VAGUENESS.get(head.rule):
            told.add(id(item))
            if not is_silenced(item):
                notes.setdefault(id(head), []).append(item)
    return [_with_notes(item, notes.get(id(item), ())) for item in found if id(item) not in told]


def _heads(found: Iterable[Finding]) -> dict[_Defect, Finding]:
    """The strongest finding of each defect: the surest, and among those the least vague."""
    heads: dict[_Defect, Finding] = {}
    for item in found:
        if item.rule in _VAGUENESS:
            known = heads.setdefault(_defect(item), item)
            if _strength(item) < _strength(known):
                heads[_defect(item)] = item
    return heads


def _without_lock(found: Sequence[Finding]) -> dict[_Missing, Finding]:
    """The first finding that knows what goes wrong where a function goes without a lock, and is as sure."""
    guards = {_missing(item): item.confidence.rank for item in found if item.rule == _GUARD and item.subject.lock}
    return {
        _missing(item): item
        for item in reversed(found)
        if 0 < _VAGUENESS.get(item.rule, 0) < _VAGUENESS[_GUARD]
        and item.confidence.rank <= guards.get(_missing(item), -1)
    }


def _missing(finding: Finding) -> _Missing:
    return finding.location.path, finding.first.function, finding.subject.lock


def _strength(finding: Finding) -> tuple[bool, int, int]:
    return finding.rule != _DECLARED, finding.confidence.rank, _VAGUENESS[finding.rule]


def _defect(finding: Finding) -> _Defect:
    return finding.location.path, finding.first.function, finding.subject.fields


def _with_notes(finding: Finding, notes: Sequence[Finding]) -> Finding:
    if not notes:
        return finding
    places = dict.fromkeys(
        (*finding.further, *(place for note in notes for place in (note.first, note.second, *note.further)))
    )
    further = tuple(place for place in places if place not in {finding.first, finding.second})
    trigger = " ".join((finding.trigger, *(f"{note.rule} adds: {note.message}." for note in notes)))
    surest = min((finding, *notes), key=lambda item: item.confidence.rank)
    return replace(finding, trigger=trigger, further=further, confidence=surest.confidence, doubt=surest.doubt)
