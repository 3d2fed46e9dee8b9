"""What a finding says, in the words that all formats share."""

import re

from racehound.model.finding import Access, Finding
from racehound.model.naming import doer

_OF_ONE_THREAD = frozenset({"RH104"})
"""What breaks in one thread by itself: no lock is missing there."""
SAME = "the same operation, in another thread or task at the same time"
_PROSE = re.compile(r"(?:an?|the|its|whoever) (?!(?:if|or|and|in|is|not|for)\b)[a-z]")
"""Of two words that follow one another, Python makes a name only where one of them is a word of its own."""


def access(item: Access, beside: Access | None = None, *, home: str | None = None) -> str:
    """One operation; its file is named where it is not the one at hand, `home`.

    That it holds no lock is worth a word where the one beside it holds some.
    """
    place = f"line {item.location.line}" if home in {None, item.location.path} else str(item.location)
    target = item.target if _PROSE.match(item.target) else f"`{item.target}`"
    held = " and ".join(f"`{lock}`" for lock in item.locks) or "no lock"
    holding = f", holding {held}" if item.locks or (beside is not None and beside.locks) else ""
    return f"{doer(item.function)} {item.action} {target} ({place}) in {item.context}{holding}"


def guard(finding: Finding) -> list[str]:
    """The lock that other uses hold, or that neither of the two holds one, where a lock would help."""
    lock, first, second = finding.subject.lock, finding.first, finding.second
    if lock is not None:
        is_told = lock in {_bare(name) for name in (first.target, *first.locks)}
        return [] if is_told else [f"others hold `{lock}`"]
    is_state = bool(finding.subject.fields) and finding.rule not in _OF_ONE_THREAD
    is_bare = is_state and not first.locks and not second.locks
    return ["neither of the two holds a lock"] if is_bare else []


def _bare(name: str) -> str:
    return name.removeprefix("self.").removeprefix("cls.")


def second_of(finding: Finding) -> str:
    if finding.second == finding.first:
        return SAME
    return access(finding.second, finding.first, home=finding.location.path)


def in_full(finding: Finding) -> tuple[str, str]:
    """Both operations for formats that show each by itself, beside its place."""
    first, second = access(finding.first, finding.second), access(finding.second, finding.first)
    return first, f"{SAME}: {second}" if finding.second == finding.first else second


def facts(finding: Finding, *, patched: bool = False) -> list[tuple[str, str]]:
    """What is known of a finding, by name; the remedy where no patch is one already."""
    pairs = [
        ("first", access(finding.first, finding.second, home=finding.location.path)),
        ("second", second_of(finding)),
        *(("lock", line) for line in guard(finding)),
        ("trigger", finding.trigger),
        ("impact", finding.impact),
        ("doubt", finding.doubt),
        ("remedy", "" if patched else finding.remedy),
    ]
    return [(name, value) for name, value in pairs if value]


def operations(finding: Finding) -> list[str]:
    """The two that meet, and the lock that they should have held."""
    return [value for name, value in facts(finding) if name in {"first", "second", "lock"}]


def told(finding: Finding) -> list[str]:
    """All that a finding says, a line each, for formats that take one text."""
    grades = f"{finding.severity}, confidence {finding.confidence}, grade {finding.grade}".capitalize()
    return [finding.message, *(f"{name.capitalize()}: {value}" for name, value in facts(finding)), grades]
