"""Plain functions that start a task and give it to their caller, who is then the only one to have it."""

from collections.abc import Iterator

from racehound.analysis.awaiting.lost_tasks import next_of
from racehound.analysis.program import Program
from racehound.source.events import Bind, Call, Exit, Place, Shape, Touch, Value
from racehound.source.facts import FunctionFacts

_STARTERS = frozenset({"create_task", "ensure_future"})


def hands_out_task(program: Program, function: FunctionFacts) -> bool:
    """True if all that has the task is what the function returns."""
    if function.is_async or Call not in function.holds:
        return False
    returned = [event.value for event in function.events if isinstance(event, Exit) and event.kind == "return"]
    return any(_is_all_there_is(function, start, index, returned) for index, start in _started(program, function))


def _started(program: Program, function: FunctionFacts) -> Iterator[tuple[int, Call]]:
    for name in _STARTERS:
        for index, call in function.calls_of(name):
            made = bool(call.arguments) and call.arguments[0].shape is Shape.CALL  # a future may be held elsewhere
            if made and program.coroutines.kind_of_start(function, call) == "task":
                yield index, call


def _is_all_there_is(function: FunctionFacts, start: Call, index: int, returned: list[Value]) -> bool:
    following = next_of(function, index)
    if isinstance(following, Bind):
        place = Place(following.name)
        return any(value.place == place for value in returned) and not _is_given_on(function, place)
    return any(
        value.shape is Shape.CALL and value.name == start.method and value.place == start.callee
        for value in returned
    )


def _is_given_on(function: FunctionFacts, place: Place) -> bool:
    """True if the task is stored, or passed to somebody who may store it."""
    return any(
        (isinstance(event, Call) and any(value.place == place for value in event.arguments))
        or (isinstance(event, Touch) and any(value.place == place for value in event.values))
        for event in function.events
    )
