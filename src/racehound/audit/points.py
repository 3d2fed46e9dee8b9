"""Where to stop a command: before its calls on files that both commands touch.

The order decides how soon a race is found. A lost update needs the other command to run between reading a file
and replacing it, so the first call that changes a file which was read before comes first of all. Telling, too, is
where a lock is taken after the file was read, where it is taken once more, and where a file that both make anew
under one name is filled and used. Then come the other calls that change something, then locks, then further reads.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TypeVar

from racehound.audit.masking import pattern_of
from racehound.processes.calls import FileCall, Point

MOST_ALIKE = 4
"""Points of one kind on one path; a file that is written in a thousand pieces breaks at the first ones."""
MOST_LATER_LOCKS = 8
READ_BEFORE, TOO_LATE, REGAINED, DRAFTS, NAMES, CHANGES, LOCKS, READING = range(8)
"""Ranks of points, the most telling one first."""
FOR_BOTH = frozenset({"open-create", "open-write"})
HARMLESS = FOR_BOTH | {"open-append", "utime", "chmod", "chown"}
"""What the file holds is the same after these."""
MAKING = frozenset({"open-exclusive", "open-truncate"})
FILLING = frozenset({"open-truncate", "open-exclusive", "write", "rename"})
REMOVING = frozenset({"unlink", "rmdir", "rename"})
NAMING = frozenset({"rename", "link", "unlink", "open-truncate", "open-exclusive", "symlink", "mkdir", "rmdir"})


Chosen = TypeVar("Chosen")


@dataclass(frozen=True, slots=True, order=True)
class RankedPoint:
    rank: int
    place: int
    """Where the call stands in the command's run."""
    point: Point


def telling(calls: Iterable[FileCall], *, folders: frozenset[str], locks: frozenset[str]) -> list[FileCall]:
    """Without calls that change nothing another command could see.

    Making a directory that is there already has no effect, unless it was removed before, and what is written into
    a file that exists to be locked is only about its holder.
    """
    kept = []
    removed: set[str] = set()
    for call in calls:
        stands = call.path in folders - removed or _always_stands(call.path)
        if not (call.name == "mkdir" and stands) and not (call.name == "write" and call.path in locks):
            kept.append(call)
        if call.name in REMOVING:
            removed.add(call.other_path or call.path)
    return kept


def _always_stands(path: str) -> bool:
    """Whether it is the sandbox or the home in it, which `mkdir -p` tries first."""
    return path.startswith("/") or "/" not in path


def shared_paths(first: Iterable[FileCall], second: Iterable[FileCall]) -> frozenset[str]:
    """Paths inside the sandbox that both touch and at least one of them changes or locks."""
    ours, theirs = _touched(first), _touched(second)
    return frozenset(path for path in ours.keys() & theirs.keys() if ours[path] or theirs[path])


def _touched(calls: Iterable[FileCall]) -> dict[str, bool]:
    touched: dict[str, bool] = defaultdict(bool)
    for call in calls:
        if not call.outside:
            for path in call.paths:
                touched[path] |= call.mutating or call.locking
    return touched


def switch_points(calls: Sequence[FileCall], shared: frozenset[str]) -> list[RankedPoint]:
    """The points of one command, best first."""
    calls = [call for call in calls if not call.outside and shared.intersection(call.paths)]
    special = dict.fromkeys(_drafts(calls), DRAFTS)
    special |= dict.fromkeys(_regained(calls)[-MOST_ALIKE:], REGAINED)
    special |= dict.fromkeys(_locked_too_late(calls)[:MOST_ALIKE], TOO_LATE)
    read: dict[str, set[int]] = defaultdict(set)
    changed: set[str] = set()
    ranked: list[RankedPoint] = []
    for place, call in enumerate(calls):
        rank = _rank(call, read, changed)
        chosen = rank if rank == READ_BEFORE else special.get(place, rank)
        ranked.append(RankedPoint(chosen, -place if chosen == REGAINED else place, call.point))
        if call.mutating and call.name not in HARMLESS:
            changed.update(call.paths)
        elif not call.mutating and not call.locking:
            read[call.path].add(call.process)
    halfway = _halfway(calls)
    if halfway is not None and all(item.rank != READ_BEFORE for item in ranked):
        ranked[halfway] = replace(ranked[halfway], rank=min(ranked[halfway].rank, DRAFTS))
    return sorted(_thinned(ranked))


def _halfway(calls: Sequence[FileCall]) -> int | None:
    """Where the second of several files is about to be changed.

    Of two calls that only write, and read nothing, it is what they write in several places that they mix. A line
    that is appended keeps those of others.
    """
    appended = {call.path for call in calls if call.name == "open-append"}
    filled = [
        (place, call.path)
        for place, call in enumerate(calls)
        if call.name in FILLING and call.path not in appended
    ]
    return next((place for place, path in filled if path != filled[0][1]), None)


def _rank(call: FileCall, read: Mapping[str, set[int]], changed: set[str]) -> int:
    """`read` tells which processes have read a path before."""
    if call.mutating and call.path in read and call.path not in changed and _is_telling(call, read[call.path]):
        return READ_BEFORE
    if call.mutating:
        return NAMES if call.name in NAMING else CHANGES
    return LOCKS if call.locking else READING


def _is_telling(call: FileCall, readers: set[int]) -> bool:
    """Whether the place before this call is between reading and changing.

    A process that opens a file for both may read it again, as databases do, unless another one has read it.
    """
    return call.name not in FOR_BOTH or readers != {call.process}


def _drafts(calls: Sequence[FileCall]) -> Iterator[int]:
    """Where a file that was made anew is written for the first time or read back, if that is what it is for.

    Another call that makes it under the same name empties it, or has its own content used.
    """
    used = {path for call in calls for path in _used_up(call)}
    made: dict[str, set[bool]] = {}
    for place, call in enumerate(calls):
        if call.name in MAKING:
            made[call.path] = set()
        elif call.name not in NAMING and call.mutating not in made.get(call.path, {call.mutating}):
            made[call.path].add(call.mutating)
            if call.path in used:
                yield place


def _used_up(call: FileCall) -> tuple[str, ...]:
    """What is no place of its own any more after this call, or was only to be read."""
    if call.name in {"open-read", "unlink"}:
        return (call.path,)
    return (call.other_path,) if call.other_path else ()


def _regained(calls: Sequence[FileCall]) -> list[int]:
    """Where a lock is taken once more for a change: what was read under it before may be stale by then."""
    last = max((place for place, call in enumerate(calls) if call.mutating), default=0)
    before: dict[str, str] = {}
    places = []
    for place, call in enumerate(calls[:last]):
        if call.locking:
            if not call.name.endswith("-unlock") and before.get(call.path, "").endswith("-unlock"):
                places.append(place)
            before[call.path] = call.name
    return places


def _locked_too_late(calls: Sequence[FileCall]) -> list[int]:
    """Where a lock is taken between reading a file and changing it, and the file is not read again."""
    last_read: dict[str, int] = {}
    places = []
    locks: list[int] = []
    for place, call in enumerate(calls):
        if call.name == "open-read":
            last_read[call.path] = place
        elif call.mutating and call.path in last_read:
            read = last_read.pop(call.path)
            places += [lock for lock in locks if lock > read]
        if (call.locking and not call.name.endswith("-unlock")) or call.name in {"open-exclusive", "mkdir"}:
            locks.append(place)
    return sorted(set(places))


def _thinned(ranked: Iterable[RankedPoint]) -> list[RankedPoint]:
    alike: dict[tuple[str, str], list[RankedPoint]] = defaultdict(list)
    for item in ranked:
        alike[item.point.call, item.point.path].append(item)
    kept = [item for items in alike.values() for item in items[:MOST_ALIKE]]
    further = [item for items in alike.values() for item in items[MOST_ALIKE:]]
    chosen = [item for item in further if item.rank in {TOO_LATE, REGAINED}]
    return [*kept, *chosen, *_between_locks(further)]


def _between_locks(further: Iterable[RankedPoint]) -> list[RankedPoint]:
    """A database locks for each statement, and it is between the last ones that it changes what was read."""
    locks = [item for item in further if item.rank == LOCKS and not item.point.call.endswith("-unlock")]
    return _spread(locks, MOST_LATER_LOCKS)


MOST_ALIKE_CRASHES = 3
SAME_CONTENT = frozenset({"flock-unlock", "fcntl-unlock", "chmod", "chown", "utime", "setxattr"})
"""Dying after one of these leaves what dying after the call before it leaves."""


def changing_points(calls: Sequence[FileCall], again: Sequence[FileCall], *, most: int) -> list[Point]:
    """After each of these calls a command may die; names that are drawn anew each time become patterns."""
    steady = {path for call in again for path in call.paths}
    others = sorted(
        {path for call in again for path in call.paths} - {path for call in calls for path in call.paths}
    )
    seen: Counter[tuple[str, str]] = Counter()
    points: list[Point] = []
    for call in calls:
        if call.outside or call.name in SAME_CONTENT or not (call.mutating or call.locking):
            continue
        if call.locking and any(point.call == call.name for point in points):
            continue
        path = call.point.path if call.path in steady else _pattern(call.path, others)
        seen[call.name, path] += 1
        if seen[call.name, path] <= MOST_ALIKE_CRASHES:
            points.append(Point(call.name, path, seen[call.name, path]))
    return _spread(points, most)


def _pattern(path: str, others: Sequence[str]) -> str:
    """The path with a star for what differs from its counterpart in another run."""
    folder, _, name = path.rpartition("/")
    counterparts = [other for other in others if other.count("/") == path.count("/")]
    found = [pattern_of(path, other) for other in counterparts]
    fitting = [pattern.replace("**", "*") for pattern in found if fnmatchcase(path, pattern)]
    return max(fitting, key=len, default=f"{folder}/*" if name else path)


def _spread(points: list[Chosen], most: int) -> list[Chosen]:
    """Evenly chosen ones where there are too many, the first and the last among them."""
    if len(points) <= most:
        return points
    step = (len(points) - 1) / (most - 1)
    return [points[round(index * step)] for index in range(most)]


def fits(point: Point, path: str) -> bool:
    return point.path == path or fnmatchcase(path, point.path)
