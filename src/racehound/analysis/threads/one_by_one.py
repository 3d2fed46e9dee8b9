"""Threads that coroutines start one at a time: each is awaited under the same lock of the loop."""

from racehound.analysis.meaning.kinds import Kinds
from racehound.source.events import Acquire, Pause, Place, Release, Shape
from racehound.source.facts import FunctionFacts

_LOCKS = frozenset({"asyncio.Lock", "asyncio.locks.Lock", "anyio.Lock", "trio.Lock"})


def lock_around(kinds: Kinds, function: FunctionFacts, at: int) -> Place | None:
    """The lock under which a coroutine awaits the thread that it starts at an event."""
    following = function.events[at + 1 : at + 2]
    if not any(isinstance(event, Pause) and not event.yields for event in following):
        return None
    held: list[Place] = []
    for event in function.events[:at]:
        place = event.value.place if isinstance(event, Acquire | Release) else None
        if (
            isinstance(event, Acquire)
            and event.is_async
            and event.value.shape is Shape.PLACE
            and place is not None
        ):
            held.append(place)
        elif isinstance(event, Release) and place in held:
            held.remove(place)
    return next((place for place in held if kinds.place(function, place) & _LOCKS), None)
