"""What differs between equal runs cannot be compared: times, process ids, random names.

Runs of the same commands in the same order are laid beside each other. A value that differs is masked. A name that
differs becomes a pattern: entries that fit it are counted, so that one that is missing is still noticed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

TOKEN = re.compile(r"\w+|\W")
STAR = "*"
MOST_COMPARED = 40_000
"""Pairs of names; beyond that they are laid side by side in their order."""

Entries = Mapping[str, str]
State = Mapping[tuple[str, str], int]
"""How often each (name, value) is there, after masking."""


@dataclass(frozen=True, slots=True)
class Mask:
    values: frozenset[str] = frozenset()
    """Names and patterns whose value is not compared."""
    patterns: tuple[str, ...] = ()
    vanishing: frozenset[str] = frozenset()
    """Names that are there in some of the equal runs only."""
    _expressions: tuple[re.Pattern[str], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_expressions", tuple(map(_expression, self.patterns)))

    @property
    def listed(self) -> tuple[str, ...]:
        """Without the content of a file whose very name is new each time."""
        found = {*self.values, *self.patterns, *self.vanishing}
        return tuple(sorted(name for name in found if self.name(name.partition(": ")[0]) not in found - {name}))

    def apply(self, entries: Entries) -> State:
        return Counter(
            (shown, "" if shown in self.values else value)
            for shown, value in ((self.name(name), value) for name, value in entries.items())
            if shown not in self.vanishing
        )

    def name(self, name: str) -> str:
        for pattern, expression in zip(self.patterns, self._expressions, strict=True):
            if expression.fullmatch(name):
                return pattern
        return name

    def widened(self, one: Entries, other: Entries) -> "Mask":
        """With what these two equal runs add to it."""
        values = {name for name in one.keys() & other.keys() if one[name] != other[name]}
        pairs, lonely = _paired(sorted(one.keys() - other.keys()), sorted(other.keys() - one.keys()))
        patterns = _joined([*self.patterns, *(pattern_of(left, right) for left, right in pairs)])
        names = Mask(patterns=patterns)
        values |= {left for left, right in pairs if one[left] != other[right]}
        return Mask(
            values=frozenset(map(names.name, {*self.values, *values})),
            patterns=patterns,
            vanishing=frozenset(map(names.name, {*self.vanishing, *lonely})),
        )


def _paired(ours: list[str], theirs: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Names that belong together, the most similar first, and those that are left over."""
    if len(ours) * len(theirs) > MOST_COMPARED:
        shorter = min(len(ours), len(theirs))
        return list(zip(ours, theirs, strict=False)), [*ours[shorter:], *theirs[shorter:]]
    likeness = sorted(((_alike(one, other), one, other) for one in ours for other in theirs), reverse=True)
    pairs: list[tuple[str, str]] = []
    left, right = set(ours), set(theirs)
    for _, one, other in likeness:
        if one in left and other in right:
            pairs.append((one, other))
            left.discard(one)
            right.discard(other)
    return pairs, sorted(left | right)


def _alike(one: str, other: str) -> int:
    """How many words two names have in common at the same place; names of one length come before all others."""
    ours, theirs = TOKEN.findall(one), TOKEN.findall(other)
    common = sum(1 for a, b in zip(ours, theirs, strict=False) if a == b)
    return common + (len(ours) if len(ours) == len(theirs) else 0)


def _joined(patterns: list[str]) -> tuple[str, ...]:
    """Patterns that one name could fit both of become one: which of them it fits would be an accident of time."""
    joined: list[str] = []
    for pattern in dict.fromkeys(patterns):
        current = pattern
        while (other := next((old for old in joined if _overlap(old, current)), None)) is not None:
            joined.remove(other)
            current = pattern_of(other, current)
        joined.append(current)
    return tuple(joined)


def _overlap(one: str, other: str) -> bool:
    ours, theirs = TOKEN.findall(one), TOKEN.findall(other)
    return len(ours) == len(theirs) and all(
        a == b or (STAR in {a, b} and (a + b).strip("_*").isalnum()) for a, b in zip(ours, theirs, strict=True)
    )


def pattern_of(left: str, right: str) -> str:
    """What two names have in common, with stars for the words that differ."""
    ours, theirs = TOKEN.findall(left), TOKEN.findall(right)
    if len(ours) != len(theirs):
        return _ends(left, right)
    return "".join(a if a == b else STAR for a, b in zip(ours, theirs, strict=True))


def _ends(left: str, right: str) -> str:
    start = _common(left, right)
    end = _common(left[start:][::-1], right[start:][::-1])
    return f"{left[:start]}{STAR}{STAR}{left[len(left) - end :]}" if end else f"{left[:start]}{STAR}{STAR}"


def _common(left: str, right: str) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )


def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(_pieces(pattern)), re.DOTALL)


def _pieces(pattern: str) -> Iterator[str]:
    for piece in re.split(r"(\*+)", pattern):
        yield re.escape(piece) if not piece.startswith(STAR) else r"\w+" if piece == STAR else ".*"
