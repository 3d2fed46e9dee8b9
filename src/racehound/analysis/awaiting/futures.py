"""Futures of event loops that an object keeps for whoever waits: who makes them, who waits, who completes them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import Kinds
from racehound.source.events import (
    SELF,
    Acquire,
    Action,
    Bind,
    Call,
    Exit,
    Flow,
    Pause,
    Place,
    Shape,
    Touch,
    Value,
)
from racehound.source.facts import ClassFacts, FunctionFacts

MAKERS = frozenset({"create_future", "Future"})
"""Last names of what makes one."""
FUTURES = frozenset({"asyncio.Future", "asyncio.futures.Future"})
SETTERS = ("set_result", "set_exception")
"""Methods that complete one."""
_KEEPERS = frozenset({"append", "appendleft", "add", "setdefault", "put", "put_nowait", "insert"})
_TAKERS = frozenset({"pop", "get", "popleft", "popitem", "get_nowait"})
_LIMITS = frozenset({"wait_for", "timeout", "timeout_at", "fail_after", "move_on_after", "Timeout"})
_STEPS_BACK = 6
"""Events between an item of a container and the name that it gets."""


class Kept(NamedTuple):
    """A future that a coroutine makes, keeps in a field of its object and waits for."""

    field: str
    function: FunctionFacts
    maker: FunctionFacts
    made: int
    """Where it is put into the field: the function, and the index."""
    wait: int
    """Index of the await."""
    is_limited: bool
    """The wait has a limit: when it is over, the future is cancelled."""


def kept_futures(owner: ClassFacts, kinds: Kinds, hierarchy: Hierarchy) -> Iterator[Kept]:
    methods = hierarchy.effective(owner)
    for function in methods:
        for made, field, place in _kept(function, kinds):
            wait = first_wait(function, made, place) if function.is_async else None
            if wait is not None:
                yield Kept(field, function, function, made, wait, is_limited(function, wait))
                continue
            for other, at in _waits_elsewhere(methods, function, field, place):
                yield Kept(field, other, function, made, at, is_limited(other, at))


def _waits_elsewhere(
    methods: Iterable[FunctionFacts], maker: FunctionFacts, field: str, place: Place
) -> Iterator[tuple[FunctionFacts, int]]:
    """Waits of other methods: for the field, or for what the maker hands back."""
    sought = {Place(SELF, (field,))}
    if any(type(event) is Exit and event.value.place == place for event in maker.events):
        sought.add(Place(SELF, (maker.name,)))
    for function in methods:
        if function.is_async and function is not maker and Pause in function.holds:
            for where in sought:
                wait = first_wait(function, -1, where)
                if wait is not None and not _is_known_done(function, wait, where):
                    yield function, wait


def _is_known_done(function: FunctionFacts, wait: int, place: Place) -> bool:
    """True for `if self._answer.done(): await self._answer`, which waits for nothing."""
    asked = Place(place.root, (*place.attributes, "done"))
    return any(call.callee == asked and at < wait for at, call in function.calls_of("done"))


def _kept(function: FunctionFacts, kinds: Kinds) -> Iterator[tuple[int, str, Place]]:
    """Where a future gets into a field, and the place by which the function has it."""
    for index, event in enumerate(function.events):
        if type(event) is Touch and event.action in {Action.WRITE, Action.WRITE_ITEM}:
            yield from _stored(function, index, event, kinds)
        elif type(event) is Call and event.method in _KEEPERS and event.callee is not None:
            yield from _added(function, index, event, kinds)


def _stored(function: FunctionFacts, index: int, event: Touch, kinds: Kinds) -> Iterator[tuple[int, str, Place]]:
    root, attributes = event.place
    for value in event.values if root == SELF and len(attributes) == 1 else ():
        if is_future(function, value, kinds):
            for place in (_local(value) or event.place, *_also_bound(function, value)):
                yield index, attributes[0], place


def _added(function: FunctionFacts, index: int, event: Call, kinds: Kinds) -> Iterator[tuple[int, str, Place]]:
    root, attributes = event.callee or Place("")
    if root == SELF and len(attributes) == _ITEM_DEPTH:
        for value in (part for item in event.arguments for part in (item, *item.arguments)):
            place = _local(value)
            if place is not None and is_future(function, value, kinds):
                yield index, attributes[0], place


_ITEM_DEPTH = 2
"""`self._waiters.append`: the field and the method."""


def _also_bound(function: FunctionFacts, value: Value) -> Iterator[Place]:
    """`future = self._pending[key] = create_future()`: the function has it by a name of its own as well."""
    if value.shape is Shape.CALL:
        yield from (Place(name) for name, values in function.bindings.items() if value in values)


def _local(value: Value) -> Place | None:
    return value.place if value.shape is Shape.PLACE and value.place and not value.place.attributes else None


def is_future(function: FunctionFacts, value: Value, kinds: Kinds) -> bool:
    """True if the function itself has made it."""
    if value.shape is Shape.PLACE:
        local = _local(value)
        made = function.bindings.get(local.root, ()) if local is not None else ()
        return any(item.shape is Shape.CALL and is_future(function, item, kinds) for item in made)
    return value.shape is Shape.CALL and not FUTURES.isdisjoint(kinds.value(function, value))


def first_wait(function: FunctionFacts, made: int, place: Place) -> int | None:
    """The first await of the future; one that is shielded is not cancelled with the task that waits."""
    for index in range(made + 1, len(function.events)):
        event = function.events[index]
        if type(event) is Pause and not event.yields:
            if event.value.place == place and event.value.shape in {Shape.PLACE, Shape.CALL}:
                return index
            if event.value.name in _LIMITS and any(item.place == place for item in event.value.arguments):
                return index
    return None


def is_limited(function: FunctionFacts, wait: int) -> bool:
    event = function.events[wait]
    if type(event) is Pause and event.value.name in _LIMITS:
        return True
    return any(type(item) is Acquire and item.value.name in _LIMITS for item in function.events[:wait])


def completions(function: FunctionFacts) -> Iterator[tuple[Call, str]]:
    """Those that do not ask first whether the future is done."""
    for index, call, field in completing(function):
        if not is_asked(function, index, call.receiver):
            yield call, field


def completing(function: FunctionFacts) -> Iterator[tuple[int, Call, str]]:
    """`set_result` and `set_exception` on what a field of the object holds, and which field."""
    for name in SETTERS:
        for index, call in function.calls_of(name):
            field = _origin(function, index, call.receiver)
            if field is not None:
                yield index, call, field


def is_own(kept: Kept, function: FunctionFacts, call: Call) -> bool:
    """True if nobody can have waited yet: who completes it has just made it, or is the one that waits for it."""
    if function is kept.function:
        return True
    at = next(index for index, event in enumerate(function.events) if event is call)
    return (
        function is kept.maker
        and kept.made < at
        and not any(type(event) is Pause for event in function.events[kept.made : at])
    )


def is_asked(function: FunctionFacts, index: int, receiver: Value | None) -> bool:
    """True if the future is asked whether it is done, with no await after that, or the error is reckoned with."""
    if any(attempt.guards(index, _RECKONED) for attempt in function.attempts):
        return True
    place = receiver.place if receiver is not None and receiver.shape is Shape.PLACE else None
    return any(
        call.receiver is not None and (place is None or call.receiver.place in {place, None})
        for name in ("done", "cancelled")
        for at, call in function.calls_of(name)
        if at < index and not any(type(event) is Pause and not event.yields for event in function.events[at:index])
    )


_RECKONED = frozenset({"InvalidStateError", "Exception", "BaseException"})


def _origin(function: FunctionFacts, index: int, receiver: Value | None) -> str | None:
    """The field that the future comes from."""
    if receiver is None:
        return None
    if receiver.place is None:
        return _before(function, index)
    root, attributes = receiver.place
    if root == SELF and receiver.shape is Shape.PLACE:
        return attributes[0] if len(attributes) == 1 else None
    if root == SELF:
        taken = receiver.shape is Shape.CALL and receiver.name in _TAKERS and len(attributes) == _ITEM_DEPTH
        return attributes[0] if taken else None
    if attributes or root not in function.bound:
        return None
    for at in range(index - 1, -1, -1):
        event = function.events[at]
        if type(event) is Bind and event.name == root:
            return _bound(function, at, event)
    return None


def _bound(function: FunctionFacts, at: int, bind: Bind) -> str | None:
    for value in bind.values:
        if value.place is not None and value.place.root == SELF:
            return _origin(function, at, value)
        if value.place is not None:
            return None
    return _before(function, at)


def _before(function: FunctionFacts, at: int) -> str | None:
    """The field of the touch that gives the value: an item, the round of a loop, one that is taken out."""
    for event in reversed(function.events[max(at - _STEPS_BACK, 0) : at]):
        if type(event) is Touch:
            root, attributes = event.place
            return attributes[0] if root == SELF and len(attributes) == 1 else None
        if type(event) is Call and event.method not in _TAKERS | _VIEWS:
            return None
        if type(event) is Flow and event not in {Flow.FORK, Flow.LOOP}:
            return None
    return None


_VIEWS = frozenset({"values", "items", "list", "tuple", "copy"})
