"""Turns that are handed from one coroutine to the next one in a queue, and what becomes of one that nobody takes.

The loop runs the coroutine that is woken a moment later. If it is cancelled in between, the await raises although
the turn is its own already.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import Kind, Kinds
from racehound.source.events import SELF, Action, Call, Event, Exit, Flow, Pause, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

MAKERS = frozenset({"create_future", "Future", "Event"})
"""Last names of what makes something to wait for."""
_WAITED = frozenset(
    {"asyncio.Future", "asyncio.futures.Future", "asyncio.Event", "asyncio.locks.Event", "anyio.Event"}
)
_QUEUED = frozenset({"append", "appendleft", "add", "insert"})
_TAKEN = frozenset({"popleft", "pop"})
_COMPLETING = frozenset({"set_result", "set"})
_PASSING = _COMPLETING | {"notify", "notify_all", "release", "put_nowait"}
_LIMITS = frozenset({"wait_for", "timeout"})
_CANCELLATIONS = frozenset({"CancelledError", "BaseException", "?"})
"""What handlers catch it by; some libraries ask a function which class it is."""
_FIELD_AND_METHOD = 2


class HandedTurn(NamedTuple):
    field: str
    """Where those who wait stand."""
    function: FunctionFacts
    wait: int
    """Index of the await."""
    waker: FunctionFacts
    given: Call
    """By which the waker hands the turn to one of them."""


def handed_turns(owner: ClassFacts, hierarchy: Hierarchy, kinds: Kinds) -> Iterator[HandedTurn]:
    """Each wait in a queue that does not pass on the turn when it is cancelled."""
    queued = [item for function in owner.methods.values() for item in _waits(function, kinds)]
    if not queued:
        return
    methods = list(hierarchy.effective(owner))
    passing = _passing(methods)
    for field, function, wait in queued:
        waking = next((found for found in _wakers(methods, field) if found[0] is not function), None)
        if waking is not None and not _passes_on(function, wait, passing):
            yield HandedTurn(field, function, wait, *waking)


def _waits(function: FunctionFacts, kinds: Kinds) -> Iterator[tuple[str, FunctionFacts, int]]:
    """Where a coroutine waits for what it has put into a field, and the field."""
    if not function.is_async or Pause not in function.holds:
        return
    for index, event in enumerate(function.events):
        if type(event) is Call and event.method in _QUEUED and event.callee is not None:
            root, attributes = event.callee
            if root == SELF and len(attributes) == _FIELD_AND_METHOD:
                for place in _made(function, event.arguments, kinds):
                    wait = _wait(function, index, place)
                    if wait is not None:
                        yield attributes[0], function, wait


def _made(function: FunctionFacts, values: Iterable[Value], kinds: Kinds, depth: int = 2) -> Iterator[Place]:
    """The variables among the values, or in tuples of them, that hold something to wait for."""
    for value in values:
        place = value.place if value.shape is Shape.PLACE else None
        if value.shape is Shape.CONTAINER:
            yield from _made(function, value.arguments, kinds, depth)
        elif place is not None and not place.attributes:
            bound = function.bindings.get(place.root, ())
            if any(
                item.name in MAKERS and any(map(_is_waited_for, kinds.value(function, item))) for item in bound
            ):
                yield place
            elif depth:
                tuples = (item for item in bound if item.shape is Shape.CONTAINER)
                yield from _made(function, tuples, kinds, depth - 1)


def _is_waited_for(kind: Kind) -> bool:
    if isinstance(kind, ClassFacts):
        return kind.name == "Event" and "wait" in kind.methods and kind.methods["wait"].is_async
    return kind in _WAITED


def _wait(function: FunctionFacts, start: int, place: Place) -> int | None:
    for index in range(start + 1, len(function.events)):
        event = function.events[index]
        if type(event) is Pause and not event.yields and _awaits(event.value, place):
            return index
    return None


def _awaits(value: Value, place: Place) -> bool:
    if value.shape is Shape.PLACE:
        return value.place == place
    if value.name == "wait":
        return value.place == Place(place.root, ("wait",))
    return value.name in _LIMITS and any(_awaits(item, place) for item in value.arguments)


def _wakers(methods: list[FunctionFacts], field: str) -> Iterator[tuple[FunctionFacts, Call]]:
    """Functions that take one out of the field, or find one there, and wake that one alone."""
    for function in methods:
        taken = [index for index, event in enumerate(function.events) if _takes_one(event, field)]
        for name in _COMPLETING if taken else ():
            for index, call in function.calls_of(name):
                ours = index > taken[0] and _is_taken(call, field)
                if ours and _is_permit(function, call) and _is_one(function.events, index, call):
                    yield function, call


def _takes_one(event: Event, field: str) -> bool:
    if type(event) is not Touch or event.place != Place(SELF, (field,)):
        return False
    return event.action is Action.ITERATE or (event.method in _TAKEN and event.key in _ENDS)


_ENDS = frozenset({None, "[0]", "[-1]"})


def _is_taken(call: Call, field: str) -> bool:
    """True for what a variable holds, or comes out of the field at once."""
    place = call.receiver.place if call.receiver is not None else None
    return place is None or not place.attributes or place.attributes[0] == field


def _is_permit(function: FunctionFacts, call: Call) -> bool:
    """True if no answer goes with it, which belongs to whoever asked; what is given back is for anybody."""
    given = function.parameters if _GIVES_BACK.fullmatch(function.name) else ()
    return all(
        value.name in {"None", "True"} if value.shape is Shape.CONSTANT else str(value.place) in given
        for value in call.arguments
    )


_GIVES_BACK = re.compile(r"_*(release|give_?back|put_?back|return|check_?in|free|recycle)(_\w+)?")


def _is_one(events: list[Event], index: int, call: Call) -> bool:
    """False where a loop wakes all of them."""
    if not call.loop:
        return True
    for event in events[index + 1 :]:
        if isinstance(event, Exit):
            return event.kind in {"break", "return"}
        if event is Flow.LOOP:
            return False
    return False


def _passing(methods: list[FunctionFacts]) -> set[str]:
    """Names of methods that wake somebody, by themselves or through another one."""
    names = {item.name for item in methods if any(item.calls_of(name) for name in _PASSING)}
    through = {item.name for item in methods if any(_calls_own(event, names) for event in item.events)}
    return names | through


def _calls_own(event: Event, names: set[str]) -> bool:
    if type(event) is not Call or event.callee is None:
        return False
    root, attributes = event.callee.root, event.callee.attributes
    return root == SELF and attributes != () and attributes[-1] in names


def _passes_on(function: FunctionFacts, wait: int, passing: set[str]) -> bool:
    """True if the function wakes somebody when the wait is cancelled."""
    return any(
        (type(event) is Call and event.method in _PASSING) or _calls_own(event, passing)
        for begin, end in _reactions(function, wait)
        for event in function.events[begin:end]
    )


def _reactions(function: FunctionFacts, wait: int) -> Iterator[tuple[int, int]]:
    """The events that follow a cancelled wait, in handlers and `finally`."""
    for attempt in function.attempts:
        if attempt.begin <= wait < attempt.end:
            for caught in attempt.handlers:
                if not caught.names or not _CANCELLATIONS.isdisjoint(caught.names):
                    yield caught.events
    opened: list[bool] = []
    for index, event in enumerate(function.events):
        if event is Flow.TRY:
            opened.append(index < wait)
        elif event is Flow.FINALLY and opened[-1] and wait < index:
            yield index, _end(function.events, index)
        elif event is Flow.END:
            opened.pop()


def _end(events: list[Event], start: int) -> int:
    depth = 0
    for index in range(start + 1, len(events)):
        if events[index] is Flow.TRY:
            depth += 1
        elif events[index] is Flow.END:
            if not depth:
                return index
            depth -= 1
    return len(events)
