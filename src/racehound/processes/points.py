"""The points of a run that are found again in the next one."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from racehound.processes.calls import FileCall, Point, literal

CHANCE = re.compile(r"[A-Za-z0-9]{1,2}$")
"""Letters beside the drawn part that two draws may have had in common by chance."""


def points_of(calls: Sequence[FileCall], again: Sequence[FileCall] = ()) -> tuple[Point, ...]:
    """One point per call, in their order.

    Names that a command draws anew each time differ between two runs of it. With the calls of a second run from
    the same start these names are recognised, and stand in the points as patterns.
    """
    patterns = _patterns(calls, again) if again else {}
    points: list[Point] = []
    for call in calls:
        point = call.point
        if call.path in patterns:
            point = Point(call.name, patterns[call.path])
            # A pattern may fit other names as well; the observer counts those, too.
            point = replace(point, occurrence=sum(map(point.matches, calls[: len(points) + 1])))
        points.append(point)
    return tuple(points)


def _patterns(calls: Sequence[FileCall], again: Sequence[FileCall]) -> dict[str, str]:
    here, there = _paths(calls), _paths(again)
    drawn_here = [(call, path) for path, call in here.items() if path not in there]
    drawn_there = [(call, path) for path, call in there.items() if path not in here]
    found: dict[str, str] = {}
    for call, path in drawn_here:
        fitting = (entry for entry in drawn_there if entry[0] == call and _fits(path, entry[1]))
        other = next(fitting, None)
        if other is not None:
            drawn_there.remove(other)
            found[path] = _pattern(path, other[1])
    return found


def _paths(calls: Iterable[FileCall]) -> dict[str, str]:
    """Each path with the call in which it appears first."""
    found: dict[str, str] = {}
    for call in calls:
        found.setdefault(call.path, call.name)
    return found


def _fits(one: str, two: str) -> bool:
    return one.count("/") == two.count("/") and _pattern(one, two).strip("*/") != ""


def _pattern(one: str, two: str) -> str:
    return "/".join(_part(here, there) for here, there in zip(one.split("/"), two.split("/"), strict=True))


def _part(one: str, two: str) -> str:
    if one == two:
        return literal(one)
    start = _common_start(one, two)
    end = _common_start(one[len(start) :][::-1], two[len(start) :][::-1])[::-1]
    return f"{literal(CHANCE.sub('', start))}*{literal(CHANCE.sub('', end[::-1])[::-1])}"


def _common_start(one: str, two: str) -> str:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))
    return "".join(letter for letter, _ in same)
