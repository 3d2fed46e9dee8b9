"""Work that meets itself though no loop starts it: started twice in a row, or started and then called as well."""

from collections.abc import Iterator, Sequence

from racehound.analysis.branches import fork_at
from racehound.analysis.calls import POOL_THREAD, Spawn
from racehound.source.events import OTHER, Call, Event, Flow, Shape, Value
from racehound.source.facts import FunctionFacts

Started = tuple[FunctionFacts, int, Call, Spawn]


def with_twins(spawns: Sequence[Started]) -> Iterator[Started]:
    """The same, in order; work that runs beside itself is marked as running several times at once."""
    by_function: dict[FunctionFacts, list[Started]] = {}
    for started in spawns:
        by_function.setdefault(started[0], []).append(started)
    for started in spawns:
        function, index, call, _ = started
        yield function, index, call, _joined(started, by_function[function])


def _joined(started: Started, others: Sequence[Started]) -> Spawn:
    function, index, _, spawn = started
    if spawn.many or spawn.target.shape not in {Shape.PLACE, Shape.FUNCTION}:
        return spawn
    if spawn.what == POOL_THREAD:
        return spawn  # a pool of one thread: what it is given comes one after the other
    twins = [
        other.arguments
        for _, at, _, other in others
        if at != index and other.target == spawn.target and are_beside(function.events, index, at)
    ]
    twins.extend(_called(function, index, spawn))
    if not twins:
        return spawn
    same = (value if all(value in given for given in twins) else OTHER for value in spawn.arguments)
    return spawn._replace(many=True, arguments=tuple(same))


def _called(function: FunctionFacts, index: int, spawn: Spawn) -> Iterator[tuple[Value, ...]]:
    """Arguments of the calls that the starter makes itself while the thread runs."""
    if spawn.target.place is None:
        return
    for at, event in enumerate(function.events):
        if at > index and isinstance(event, Call) and event.callee == spawn.target.place:
            yield from [event.arguments] if are_beside(function.events, index, at) else ()


def are_beside(events: Sequence[Event], one: int, other: int) -> bool:
    """True if one path leads through both, and waits for no thread in between."""
    first, last = sorted((one, other))
    if any(isinstance(event, Call) and _waits(event) for event in events[first:last]):
        return False
    for index in range(first):
        if events[index] is Flow.FORK:
            branches = fork_at(events, index).branches
            if any(start <= first < end <= last for start, end in branches) and last < branches[-1][1]:
                return False
    return True


def _waits(call: Call) -> bool:
    """`thread.join()` and `thread.join(timeout)`; what joins strings is given a value of another shape."""
    return call.method == "join" and all(value.shape is Shape.CONSTANT for value in call.arguments)
