"""The schedules to try, in the order in which they are most likely to break something."""

from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest

from racehound.audit.locks import locks_taken
from racehound.audit.points import (
    CHANGES,
    DRAFTS,
    NAMES,
    NAMING,
    READ_BEFORE,
    READING,
    REGAINED,
    REMOVING,
    TOO_LATE,
    RankedPoint,
    shared_paths,
    switch_points,
    telling,
)
from racehound.audit.schedule import Schedule
from racehound.audit.serial import Serial
from racehound.processes.calls import Detail, FileCall, Point, detail_of

MOST_NESTED = 6
MOST_DEEP = 400
BEST = 2
"""The most telling place of each command, which comes before everything else."""
MOST_EARLY = 2
IN_TURN = (TOO_LATE, REGAINED, DRAFTS, READ_BEFORE, NAMES, CHANGES)
EXCLUSIVE = frozenset({"open-exclusive", "mkdir", "symlink", "link"})
"""Calls that make something only if it is not there."""
MAKING = EXCLUSIVE | {"open-create", "open-append", "open-truncate"}


def schedules_in(
    serial: Serial, *, locks: frozenset[str], ranks: int = READING, deep: bool = False
) -> list[Schedule]:
    """Points up to the given rank; `locks` are files that exist to be locked.

    Without `deep` they are the same whether or not the commands were seen with all that they read.
    """
    folders = frozenset(name.rstrip("/") for name in serial.base if name.endswith("/"))
    first, second = (
        telling(_seen(calls, deep=deep), folders=folders, locks=locks)
        for calls in (serial.forward.first.calls, serial.backward.second.calls)
    )
    shared = shared_paths(first, second)
    ours, theirs = (
        [item for item in switch_points(calls, shared) if item.rank <= ranks] for calls in (first, second)
    )
    nested = list(_nested(first, second, ours, theirs, deep=False))
    if deep:
        nested = list(dict.fromkeys([*nested, *_nested(first, second, ours, theirs, deep=True)]))
    if not deep and _are_alike(first, second, shared):
        theirs = [item for item in theirs if item.rank <= READ_BEFORE]
    ranked = list(_alternating(ours, theirs))
    single = [*(schedule for _, schedule in ranked[:BEST]), *_mixed(ranked[BEST:])]
    nested = nested[: MOST_DEEP if deep else MOST_NESTED]
    feeble = _feeble(first) | _feeble(second)
    early = [schedule for schedule in nested if schedule.point in feeble][:MOST_EARLY]
    crossed = [Schedule(point) for point in _crossed(first, second)][:1]
    return list(dict.fromkeys([*single[:BEST], *crossed, *early, *single[BEST:], *nested]))


def _crossed(first: Sequence[FileCall], second: Sequence[FileCall]) -> list[Point]:
    """Where the first takes a lock, holding one that the second takes after it: each may wait for the other."""
    common = locks_taken(first) & locks_taken(second)
    ours, theirs = _taken(first, common), list(_taken(second, common))
    return [
        point
        for place, (path, point) in enumerate(ours.items())
        if any(theirs.index(path) < theirs.index(held) for held in list(ours)[:place])
    ]


def _taken(calls: Sequence[FileCall], locks: frozenset[str]) -> dict[str, Point]:
    """Where each lock is taken for the first time, in that order."""
    taken: dict[str, Point] = {}
    for call in calls:
        takes = call.name in EXCLUSIVE or (call.locking and not call.name.endswith("-unlock"))
        if takes and call.path in locks:
            taken.setdefault(call.path, call.point)
    return taken


def _feeble(calls: Sequence[FileCall]) -> set[Point]:
    """Where a lock is taken that keeps nobody out: the other one's is removed, or whoever comes makes it, too.

    What is made under a lock of the kernel is something else, as the journal of a database.
    """
    makers = {made for made in _lock_makers(calls) if made[0] not in EXCLUSIVE}
    free = (call.point for call in takewhile(lambda call: not call.locking, calls))
    return {point for point in free if (point.call, point.path) in makers} | _thefts(calls)


def _seen(calls: Sequence[FileCall], *, deep: bool) -> Sequence[FileCall]:
    return calls if deep else [call for call in calls if detail_of(call.name) <= Detail.OPENS]


def _are_alike(first: Sequence[FileCall], second: Sequence[FileCall], shared: frozenset[str]) -> bool:
    """Whether both commands do the same to what they share, so that exchanging their roles tells little."""
    ours, theirs = (
        [(call.name, call.path) for call in calls if shared.intersection(call.paths)] for calls in (first, second)
    )
    return ours == theirs


def _mixed(singles: Sequence[tuple[int, Schedule]]) -> Iterator[Schedule]:
    """By rank in turn: the best of each kind is tried before the rest of any. Locks and reads come last."""
    by_rank = [[item for rank, item in singles if rank == chosen] for chosen in IN_TURN]
    for round_ in zip_longest(*by_rank):
        yield from (schedule for schedule in round_ if schedule is not None)
    yield from (schedule for rank, schedule in singles if rank > CHANGES)


def _alternating(ours: Sequence[RankedPoint], theirs: Sequence[RankedPoint]) -> Iterator[tuple[int, Schedule]]:
    """Both commands in turn, each from its best point on, with the ranks of the points."""
    for one, other in zip_longest(ours, theirs):
        if one is not None:
            yield one.rank, Schedule(one.point)
        if other is not None:
            yield other.rank, Schedule(other.point, exchanged=True)


def _nested(
    first: Sequence[FileCall],
    second: Sequence[FileCall],
    ours: Sequence[RankedPoint],
    theirs: Sequence[RankedPoint],
    *,
    deep: bool,
) -> Iterator[Schedule]:
    """Two switches: the second command is stopped in its turn and the first one goes on.

    A lock that is checked and then made, or that is stolen, breaks only so. Without `deep` only the calls that
    steal or make such a lock are tried, against the best points of the other command.
    """
    for exchanged, (calls, stopped, other) in enumerate(((first, ours, theirs), (second, theirs, ours))):
        for outer in stopped if deep else _about_locks(calls, stopped):
            for inner in other if deep else [item for item in other if _is_about_names(item)]:
                if deep or inner.point.path != outer.point.path:
                    yield Schedule(outer.point, bool(exchanged), (inner.point,))


def _is_about_names(item: RankedPoint) -> bool:
    return item.rank == READ_BEFORE or (item.rank <= NAMES and item.point.call in NAMING)


def _about_locks(calls: Sequence[FileCall], points: Sequence[RankedPoint]) -> list[RankedPoint]:
    """Where a lock of somebody else is removed, then where one is made."""
    thefts, makers = _thefts(calls), _lock_makers(calls)
    stealing = [item for item in points if item.point in thefts]
    making = [item for item in points if (item.point.call, item.point.path) in makers]
    return [*stealing, *making]


def _thefts(calls: Sequence[FileCall]) -> set[Point]:
    """Where this command begins to remove what it makes afterwards, and only if it is not there.

    Of a directory that is when it is opened: what goes with it is known from then on.
    """
    opened: dict[str, Point] = {}
    removed: dict[str, Point] = {}
    thefts: set[Point] = set()
    for call in calls:
        if call.name == "open-read":
            opened[call.path] = call.point
        elif call.name in EXCLUSIVE and call.path in removed:
            thefts.add(removed[call.path])
        elif call.name in REMOVING:
            path = call.other_path or call.path
            removed.setdefault(path, opened.get(path, call.point) if call.name == "rmdir" else call.point)
            for folder in _above(path):
                removed.setdefault(folder, opened.get(folder, call.point))
    return thefts


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _lock_makers(calls: Sequence[FileCall]) -> set[tuple[str, str]]:
    """Calls that make a file or directory which the same command removes again without renaming it."""
    removed = {call.path for call in calls if call.name in {"unlink", "rmdir"}}
    return {(call.point.call, call.point.path) for call in calls if call.name in MAKING and call.path in removed}
