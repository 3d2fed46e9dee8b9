"""Work that meets itself though no loop starts it: started twice in a row, or started and then called as well."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations

from racehound.analysis.flow.branches import fork_at
from racehound.analysis.meaning.calls import POOL_THREAD, Spawn
from racehound.source.events import OTHER, Call, Flow, Shape, Value
from racehound.source.facts import FunctionFacts

Started = tuple[FunctionFacts, int, Call, Spawn]
Branches = tuple[tuple[int, int], ...]


class Courses:
    """How functions that start work go on; a function that starts much is asked about for each pair."""

    def __init__(self) -> None:
        self._known: dict[FunctionFacts, tuple[list[int], list[tuple[int, Branches]]]] = {}

    def are_beside(self, function: FunctionFacts, one: int, other: int) -> bool:
        """True if one path leads through both events, and waits for no thread in between."""
        waits, forks = self._of(function)
        first, last = sorted((one, other))
        if bisect_left(waits, first) != bisect_left(waits, last):
            return False
        return not any(at < first and _parts(branches, first, last) for at, branches in forks)

    def have_two(self, starts: Iterable[tuple[FunctionFacts, int]]) -> bool:
        """True if two of the starts are in different functions, or beside each other in one."""
        return any(
            one is not other or self.are_beside(one, at, later)
            for (one, at), (other, later) in combinations(starts, 2)
        )

    def _of(self, function: FunctionFacts) -> tuple[list[int], list[tuple[int, Branches]]]:
        if function not in self._known:
            events = function.events
            forks = [(at, fork_at(events, at).branches) for at, event in enumerate(events) if event is Flow.FORK]
            self._known[function] = [at for at, call in function.calls_of("join") if _waits(call)], forks
        return self._known[function]


def _parts(branches: Branches, first: int, last: int) -> bool:
    return any(start <= first < end <= last for start, end in branches) and last < branches[-1][1]


def with_twins(spawns: Sequence[Started], courses: Courses) -> Iterator[Started]:
    """The same, in order; work that runs beside itself is marked as running several times at once."""
    alike: dict[tuple[FunctionFacts, Value], dict[tuple[Value, ...], list[int]]] = {}
    for function, index, _, spawn in spawns:
        alike.setdefault((function, spawn.target), {}).setdefault(spawn.arguments, []).append(index)
    for function, index, call, spawn in spawns:
        twins = alike[function, spawn.target]
        beside = _beside(courses, function, index, twins)
        yield function, index, call, _joined(function, index, spawn, courses, beside)


def _beside(
    courses: Courses, function: FunctionFacts, index: int, alike: Mapping[tuple[Value, ...], Sequence[int]]
) -> Iterator[tuple[Value, ...]]:
    """Arguments of the same work where it is started beside this one; equal ones say the same."""
    for arguments, places in alike.items():
        if any(at != index and courses.are_beside(function, index, at) for at in places):
            yield arguments


def _joined(
    function: FunctionFacts, index: int, spawn: Spawn, courses: Courses, twins: Iterator[tuple[Value, ...]]
) -> Spawn:
    if spawn.many or spawn.target.shape not in {Shape.PLACE, Shape.FUNCTION}:
        return spawn
    if spawn.what == POOL_THREAD:
        return spawn  # a pool of one thread: what it is given comes one after the other
    same, many = spawn.arguments, False
    for given in chain(twins, _called(function, index, spawn, courses)):
        same, many = tuple(value if value in given else OTHER for value in same), True
        if all(value is OTHER for value in same):
            break
    return spawn._replace(many=True, arguments=same) if many else spawn


def _called(function: FunctionFacts, index: int, spawn: Spawn, courses: Courses) -> Iterator[tuple[Value, ...]]:
    """Arguments of the calls that the starter makes itself while the thread runs."""
    place = spawn.target.place
    if place is None:
        return
    for at, call in function.calls_of((place.attributes or (place.root,))[-1]):
        if at > index and call.callee == place and courses.are_beside(function, index, at):
            yield call.arguments


def _waits(call: Call) -> bool:
    """`thread.join()` and `thread.join(timeout)`; what joins strings is given a value of another shape."""
    return call.method == "join" and all(value.shape is Shape.CONSTANT for value in call.arguments)
