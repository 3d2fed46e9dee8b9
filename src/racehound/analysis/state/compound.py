"""Operations of several steps that are only right if nothing comes between."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.source.events import CHANGES, Acquire, Action, Call, Flow, Pause, Place, Shape, Touch
from racehound.source.facts import FunctionFacts


class Update(NamedTuple):
    """A read whose value decides what is written back to the same place."""

    place: Place
    read: int
    write: int


def updates(function: FunctionFacts) -> Iterator[Update]:
    for index in function.fed:
        event = function.events[index]
        if not isinstance(event, Touch):
            continue
        for source in event.sources:
            read = function.events[source]
            if isinstance(read, Touch) and _same(read, event) and not _is_default(event):
                yield Update(event.place, source, index)
                break


def own_read(function: FunctionFacts, write: int) -> int | None:
    """Where the function reads what it writes back, changed: `self.left -= 1` does both at once."""
    event = function.events[write]
    for source in event.sources if isinstance(event, Touch) else ():
        read = function.events[source]
        if isinstance(event, Touch) and isinstance(read, Touch) and _same(read, event):
            return None if _is_default(event) else source
    return None


def _same(read: Touch, write: Touch) -> bool:
    if read.place != write.place or read.action in CHANGES:
        return False
    return write.action is Action.WRITE or read.key == write.key or (write.key == "[:]" and read.key is None)


def _is_default(write: Touch) -> bool:
    """`self.x = self.x or make()` gives a first value and leaves a later one as it is; so does a `cast`."""
    if len(write.values) > 1:
        return write.values[0].place == write.place
    return any(value.shape is Shape.CALL and value.name == "cast" for value in write.values)


def is_limit(write: Touch) -> bool:
    """`width = min(width, 120)`: done twice, it gives what it gives once."""
    calls = [value for value in write.values if value.shape is Shape.CALL and value.name in {"max", "min"}]
    given = [value for call in calls for value in call.arguments]
    kept = (value.shape is Shape.CONSTANT or str(value.place) == str(write.place) for value in given)
    return bool(given) and len(calls) == len(write.values) and write.key is None and all(kept)


def is_interruptible(function: FunctionFacts, first: int, last: int) -> bool:
    """True if a build with the GIL may switch threads between two events.

    The interpreter looks for a switch request at calls and at backward jumps; an await or a yield gives way, and
    so does a lock that is taken.
    """
    between = function.events[first + 1 : last]
    return any(isinstance(event, Acquire | Call | Pause) or event is Flow.LOOP for event in between)
