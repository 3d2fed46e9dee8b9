"""Coroutines that are waited for together before their starter goes on: lists of tasks, task groups."""

from collections.abc import Iterator
from itertools import pairwise

from racehound.analysis.awaiting.coroutines import is_awaited, is_inside
from racehound.source.events import EACH, Acquire, Bind, Call, Event, Flow, Pause, Place, Release, Shape, Value
from racehound.source.facts import FunctionFacts

_COLLECTING = frozenset({"append", "add"})
_WAITING = frozenset({"gather", "wait"})
_STARTING = frozenset({"create_task", "ensure_future"})
_LIMITS = frozenset({"timeout", "return_when"})


def is_waited_in_a_batch(function: FunctionFacts, index: int) -> bool:
    """True for a coroutine whose end comes before any lock is given back that is held where it is called."""
    call = function.events[index]
    if not isinstance(call, Call):
        return False
    name = _collection(function, index, call)
    if name is not None:
        return _is_waited_for(function, index, Place(name))
    return _is_in_a_group(function, index, call)


def _collection(function: FunctionFacts, index: int, call: Call) -> str | None:
    """The variable that the coroutine goes into, or the task that is made of it at once."""
    for event in function.events[index + 1 :]:
        if isinstance(event, Bind):
            return event.name
        if isinstance(event, Call) and is_inside(call.span, event.span):
            if event.method in _COLLECTING and event.callee is not None and len(event.callee.attributes) == 1:
                return event.callee.root
            if event.method not in _STARTING or _is_of_a_variable(function, event):
                return None
        elif event is not Flow.LOOP:
            return None
    return None


def _is_of_a_variable(function: FunctionFacts, call: Call) -> bool:
    """True for `group.create_task(...)`; a loop in a variable waits for nothing."""
    return _group(function, call) is not None


def _is_waited_for(function: FunctionFacts, index: int, place: Place) -> bool:
    each: set[Place] = set()
    for at, event in enumerate(function.events[index + 1 :], index + 1):
        if isinstance(event, Release):
            return False
        if isinstance(event, Bind):
            each.update(Place(event.name) for value in event.values if _is_each_of(value, place))
        elif isinstance(event, Pause) and event.value.place in each:
            return event.value.shape is Shape.PLACE
        elif isinstance(event, Call) and _waits_for(event, place):
            return is_awaited(function, at)
    return False


def _waits_for(call: Call, place: Place) -> bool:
    return call.method in _WAITING and _LIMITS.isdisjoint(dict(call.keywords)) and place in _given(call)


def _is_each_of(value: Value, place: Place) -> bool:
    return value.name == EACH and bool(value.arguments) and value.arguments[0].place == place


def _given(call: Call) -> Iterator[Place]:
    """What `gather(*tasks, last)` is given."""
    for value in call.arguments:
        for part in (value, *value.arguments):
            if part.shape is Shape.PLACE and part.place is not None:
                yield part.place


def _is_in_a_group(function: FunctionFacts, index: int, call: Call) -> bool:
    """True if a group that was entered under the same locks waits for the task when it is left."""
    around = (event for event in function.events[index + 1 :] if isinstance(event, Call))
    starter = next((event for event in around if is_inside(call.span, event.span)), None)
    entered = None if starter is None else _group(function, starter)
    return entered is not None and not any(
        isinstance(event, Acquire | Release) for event in function.events[entered + 1 : index]
    )


def _group(function: FunctionFacts, starter: Call) -> int | None:
    """Where the group is entered, by `async with`, that a task is started in."""
    callee = starter.callee
    if callee is None or len(callee.attributes) != 1 or starter.method != "create_task":
        return None
    numbered: list[tuple[int, Event]] = list(enumerate(function.events))
    for (at, event), (_, following) in pairwise(numbered):
        entered = isinstance(event, Acquire) and event.is_async and event.value.shape is Shape.CALL
        if entered and isinstance(following, Bind) and following.name == callee.root:
            return at
    return None
