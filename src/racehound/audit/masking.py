"""What differs between equal runs cannot be compared: times, process ids, random names.

Runs of the same commands in the same order are laid beside each other. A value that differs is masked. A name that
differs becomes a pattern: entries that fit it are counted, so that one that is missing is still noticed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from racehound.audit.views.formats import CONTENT, UNORDERED

TOKEN = re.compile(r"\w+|\W")
STAR = "*"
DRAWN = "+=-"
"""Signs that drawn text is made of, beside letters and digits."""
FRAME = re.compile(r"(?P<start>[^*]*)\*(?:\W*\*)?(?P<end>[^*]*)", re.DOTALL)
MOST_COMPARED = 40_000
"""Pairs of names; beyond that they are laid side by side in their order."""

Entries = Mapping[str, str]
State = Mapping[tuple[str, str], int]
"""How often each (name, value) is there, after masking."""


def path_of(name: str) -> str:
    """The file that an entry is about."""
    return name.partition(": ")[0]


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
            if shown not in self.vanishing and not self._is_told(shown)
        )

    def _is_told(self, name: str) -> bool:
        """Whether all that this would say is said by the content in its order, which is compared."""
        path, _, entry = name.rpartition(": ")
        return entry == UNORDERED and f"{path}: {CONTENT}" not in self.values

    def name(self, name: str) -> str:
        """What a file of a drawn name says may be new; whose word it is shows in its name all the same."""
        whole = self._pattern(name)
        if whole:
            return whole
        path, sign, entry = name.partition(": ")
        return f"{self._pattern(path) or path}{sign}{entry}" if sign else name

    def _pattern(self, name: str) -> str:
        matches = zip(self.patterns, self._expressions, strict=True)
        return next((pattern for pattern, expression in matches if expression.fullmatch(name)), "")

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
    """How much two names have in common, at their ends above all: drawn text falls into words as chance has it."""
    ours, theirs = TOKEN.findall(one), TOKEN.findall(other)
    common = sum(1 for a, b in zip(ours, theirs, strict=False) if a == b)
    ends = _agreeing(ours, theirs) + _agreeing(ours[::-1], theirs[::-1])
    return 4 * ends + common + (len(ours) == len(theirs))


def _agreeing(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """How many words are the same from the beginning on."""
    return next(
        (i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs))
    )


def _joined(patterns: list[str]) -> tuple[str, ...]:
    """Patterns that one name could fit both of become one: which of them it fits would be an accident of time."""
    joined: list[str] = []
    for pattern in dict.fromkeys(patterns):
        current = pattern
        while (other := next((old for old in joined if _merged(old, current)), None)) is not None:
            joined.remove(other)
            current = _merged(other, current)
        joined.append(current)
    return tuple(joined)


def _merged(one: str, other: str) -> str:
    """One pattern for two that a name could fit both of; empty if there is no such name."""
    return pattern_of(one, other) if _overlap(one, other) else _framed(one, other)


def _framed(one: str, other: str) -> str:
    """One pattern for two that differ only in the words into which a drawn text happens to fall."""
    (scope, ours), (other_scope, theirs) = _scoped(one), _scoped(other)
    left, right = FRAME.fullmatch(ours), FRAME.fullmatch(theirs)
    if scope != other_scope or left is None or right is None:
        return ""
    start, longer = sorted((left["start"], right["start"]), key=len)
    end, wider = sorted((left["end"], right["end"]), key=len)
    fits = longer.startswith(start) and wider.endswith(end)
    return f"{scope}{start}{STAR}{STAR}{end}" if fits else ""


def _scoped(name: str) -> tuple[str, str]:
    """The file and what it says; of a file its folder and its name."""
    path, sign, content = name.partition(": ")
    if sign:
        return path + sign, content
    folder, sign, base = name.rpartition("/")
    return folder + sign, base


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
    ours, theirs = TOKEN.findall(left), TOKEN.findall(right)
    start = _agreeing(ours, theirs)
    end = _agreeing(ours[start:][::-1], theirs[start:][::-1])
    first, last = "".join(ours[:start]), "".join(ours[len(ours) - end :])
    return f"{first.rstrip(DRAWN)}{STAR}{STAR}{last.lstrip(DRAWN)}"


def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(_pieces(pattern)), re.DOTALL)


def _pieces(pattern: str) -> Iterator[str]:
    """A star may also be one that the names have in common, as the bullets of a list."""
    for piece in re.split(r"(\*+)", pattern):
        yield re.escape(piece) if not piece.startswith(STAR) else rf"[*\w{DRAWN}]+" if piece == STAR else ".*"
