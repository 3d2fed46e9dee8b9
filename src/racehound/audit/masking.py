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
        return tuple(sorted({*self.values, *self.patterns, *self.vanishing}))

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
        first = {self.name(name): value for name, value in one.items()}
        second = {self.name(name): value for name, value in other.items()}
        values = {name for name in first.keys() & second.keys() if first[name] != second[name]}
        only_first, only_second = sorted(first.keys() - second.keys()), sorted(second.keys() - first.keys())
        patterns = list(self.patterns)
        for left, right in zip(only_first, only_second, strict=False):
            pattern = pattern_of(left, right)
            patterns.append(pattern)
            if first[left] != second[right]:
                values.add(pattern)
        paired = min(len(only_first), len(only_second))
        lonely = {*only_first[paired:], *only_second[paired:]}
        return Mask(self.values | values, tuple(dict.fromkeys(patterns)), self.vanishing | lonely)


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
