"""Work that a function starts, and where it is kept so that somebody can wait for it."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.surroundings import around
from racehound.source.events import Action, Bind, Call, Event, Flow, Place, Shape, Touch
from racehound.source.facts import FunctionFacts

_COLLECTING = frozenset({"append", "add", "appendleft"})
_TAKING = frozenset({"pop", "popleft", "popitem", "remove", "discard", "clear"})
_POOLED = frozenset({"submit", "apply_async", "map_async", "map", "imap", "imap_unordered", "starmap"})


class Piece(NamedTuple):
    at: int
    single: Place | None
    """The place that keeps it until the next one is started there."""
    kept_by: frozenset[Place]
    """Collections that hold it beside others, the pool that runs it."""


def piece_at(function: FunctionFacts, index: int) -> Piece:
    """What the call at an event has started."""
    events, call = function.events, function.events[index]
    following = _following(function, index)
    single = _kept_in(function, index, following)
    kept_by = {following.place} if isinstance(following, Touch) and following.action is not Action.WRITE else set()
    if isinstance(following, Call) and following.method in _COLLECTING and following.arguments[:1]:
        kept_by |= {_receiver(following)} if following.arguments[0].shape is Shape.CALL else set()
    if single is not None and isinstance(call, Call) and call.loop > _loop(following, call.loop):
        kept_by, single = {single}, None
    if single is not None:
        kept_by |= set(_collections(function, index, single))
    if isinstance(call, Call) and call.method in _POOLED and call.receiver is not None and call.receiver.place:
        kept_by.add(call.receiver.place)
    is_lasting = single is not None and _is_bound_once(events, single)
    lasting = frozenset(place for place in kept_by if _keeps_all(function, place))
    return Piece(index, single if is_lasting else None, lasting)


def _following(function: FunctionFacts, index: int) -> Event | None:
    """What is done with the result of a call; a comprehension ends before that."""
    for event in function.events[index + 1 :]:
        is_read = isinstance(event, Touch) and event.action is Action.READ
        if event is not Flow.LOOP and not is_read:
            return event
    return None


def _kept_in(function: FunctionFacts, index: int, following: Event | None) -> Place | None:
    if index in function.discarded:
        return None
    if isinstance(following, Bind):
        return Place(following.name)
    is_stored = isinstance(following, Touch) and following.action is Action.WRITE
    return following.place if is_stored and isinstance(following, Touch) else None


def _loop(following: Event | None, otherwise: int) -> int:
    """How many loops are around what follows; of a store in a field it is not known, and taken to be the same."""
    if isinstance(following, Bind):
        return following.loop
    is_made_of_all = isinstance(following, Touch) and any(
        value.shape is Shape.CONTAINER for value in following.values
    )
    return otherwise - 1 if is_made_of_all else otherwise


def _collections(function: FunctionFacts, index: int, single: Place) -> Iterator[Place]:
    """Those to which the thing is added, whenever it is started."""
    here = around(function.events, index)
    for at, event in enumerate(function.events[index + 1 :], index + 1):
        if isinstance(event, Bind) and Place(event.name) == single and at > index + 2:
            return
        is_added = isinstance(event, Call) and event.method in _COLLECTING and len(event.arguments) == 1
        if is_added and isinstance(event, Call) and event.arguments[0].place == single:
            if around(function.events, at) <= here:
                yield _receiver(event)
        elif isinstance(event, Touch) and event.action is Action.WRITE_ITEM and event.values[:1]:
            is_it = event.values[0].place == single
            yield from (event.place,) if is_it and around(function.events, at) <= here else ()


def _receiver(call: Call) -> Place:
    place = call.receiver.place if call.receiver is not None else None
    return place or Place("")


def _is_bound_once(events: list[Event], place: Place) -> bool:
    written = [
        event
        for event in events
        if (isinstance(event, Bind) and Place(event.name) == place)
        or (isinstance(event, Touch) and event.place == place and event.action is Action.WRITE)
    ]
    return len(written) == 1


def _keeps_all(function: FunctionFacts, place: Place) -> bool:
    """False for a collection that is replaced or loses what it holds."""
    is_local = not place.attributes and place.root in function.bound
    if is_local and not _is_bound_once(function.events, place):
        return False
    taking = (call for name in _TAKING for _, call in function.calls_of(name))
    return bool(place.root) and all(_receiver(call) != place for call in taking)
