"""What is drawn by chance, and compared nevertheless: tokens, addresses, numbers of processes.

What differs between two runs of one serial order is no part of the outcome as it stands. But where the same thing
stands in two places in each serial run, and in no two others, it does so for a reason: who asks for a token
that is made once gets the one that was kept. Of a text of which only some words differ the others are compared.
Numbers are more than names. They are worked out from others, so one that is another each time may hide what went
wrong on the way.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from racehound.scenario.snapshot import Snapshot

Twice = tuple[Snapshot, Snapshot]
"""Two runs of one serial order."""

NOT_BY_CHANCE = 6
"""Words of so many letters are hardly ever drawn twice."""
WORKED_OUT = "{} is another number in each run, and what it was worked out from is not compared"

_WORD = re.compile(r"(\w+)")


@dataclass(frozen=True, slots=True)
class Chance:
    """What is known of the paths that differ between runs."""

    constant: Mapping[str, frozenset[int] | None] = field(default_factory=dict)
    """For each of them which parts of the text are always the same; None if texts differ in more than words."""
    is_steady: bool = True
    """Whether equal words stand in the same places in both runs of every order."""
    numbers: frozenset[str] = frozenset()

    def explains(self, seen: Snapshot, serial: Snapshot) -> bool:
        """Whether two outcomes differ in nothing but what was drawn, as far as these paths tell."""
        drawn: list[tuple[str, str]] = []
        for path, constant in self.constant.items():
            texts = seen.get(path), serial.get(path)
            if None not in texts:
                parts = list(_parts(str(texts[0]), str(texts[1]), constant))
                if any(one != other for one, other, is_constant in parts if is_constant):
                    return False
                drawn.extend((one, other) for one, other, is_constant in parts if not is_constant)
        return not self.is_steady or _stand_alike(drawn)

    @property
    def caveats(self) -> set[str]:
        """Why nothing can be called safe that is only compared so far."""
        return {WORKED_OUT.format(path) for path in self.numbers}


NO_CHANCE = Chance()


def chance_in(pairs: Sequence[Twice]) -> Chance:
    """What two runs of each order tell of what is drawn in them."""
    constant: dict[str, frozenset[int] | None] = {}
    numbers: set[str] = set()
    for first, second in pairs:
        for path in sorted(first.keys() & second.keys()):
            if first[path] != second[path]:
                same = _same_parts(first[path], second[path])
                known = constant.get(path, same)
                constant[path] = None if known is None or same is None else known & same
                numbers |= {path} if _is_number(first[path]) else set()
    found = Chance(constant, numbers=frozenset(numbers))
    is_steady = all(found.explains(*pair) for pair in pairs)
    return Chance(constant, is_steady, frozenset(numbers)) if constant else NO_CHANCE


def _same_parts(first: str, second: str) -> frozenset[int] | None:
    """Which parts of two texts are the same, if nothing but words differs."""
    parts = _WORD.split(first), _WORD.split(second)
    if parts[0][::2] != parts[1][::2]:
        return None
    return frozenset(place for place, (one, other) in enumerate(zip(*parts, strict=True)) if one == other)


def _parts(seen: str, serial: str, constant: frozenset[int] | None) -> Iterator[tuple[str, str, bool]]:
    """The parts of two texts, and whether they are always the same; nothing if the texts cannot be compared."""
    if constant is None:
        yield seen, serial, False
    elif _same_parts(seen, serial) is not None:
        pairs = zip(_WORD.split(seen), _WORD.split(serial), strict=True)
        yield from ((one, other, place in constant) for place, (one, other) in enumerate(pairs))


def _stand_alike(words: Sequence[tuple[str, str]]) -> bool:
    """Whether the words of one outcome are equal where those of the other one are."""
    first: dict[str, int] = {}
    second: dict[str, int] = {}
    return all(
        first.setdefault(one, place) == second.setdefault(other, place)
        for place, (one, other) in enumerate(words)
        if min(len(one), len(other)) >= NOT_BY_CHANCE
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
