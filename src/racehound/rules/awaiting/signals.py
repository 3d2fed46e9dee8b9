"""What coroutines wait for and others send: queues and events, also those that a table has one of for each key."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.meaning.kinds import Kind
from racehound.analysis.meaning.tables import table_of
from racehound.analysis.program import Program
from racehound.source.events import SELF, Action, Call, Pause, Place, Shape, Touch, Value
from racehound.source.facts import FunctionFacts

_PUTTING = frozenset({"put", "put_nowait"})
_SIGNALS = {
    "asyncio.Queue": ("get", _PUTTING),
    "asyncio.PriorityQueue": ("get", _PUTTING),
    "asyncio.LifoQueue": ("get", _PUTTING),
    "asyncio.Event": ("wait", frozenset({"set"})),
    "anyio.Event": ("wait", frozenset({"set"})),
}
"""What is waited for, by which method, and the methods that end the wait."""


class Signal(NamedTuple):
    place: Place
    is_entry: bool
    """It lies in a table, which the place is that of."""


class Waker(NamedTuple):
    function: FunctionFacts
    at: int


def awaited_signal(function: FunctionFacts, index: int, pause: Pause) -> Signal | None:
    """What an await waits for: `await self._items.get()`, `await self._items[topic].get()`."""
    value = pause.value
    if value.shape is not Shape.CALL:
        return None
    if value.place is not None and value.place.attributes:
        place = Place(value.place.root, value.place.attributes[:-1])
        return _of_variable(function, place) or Signal(place, is_entry=False)
    call = function.events[index - 1] if index else None
    return _of_entry(call.receiver) if isinstance(call, Call) and call.method == value.name else None


def wakers(program: Program, function: FunctionFacts, signal: Signal, method: str) -> list[Waker]:
    """Every call that can end the wait; none where what is waited for is not known."""
    place = signal.place
    kinds = _entry_kinds(program, function, place) if signal.is_entry else program.kinds.place(function, place)
    ends = [words for kind, (wait, words) in _SIGNALS.items() if kind in kinds and wait == method]
    if not ends:
        return []
    inside = [item for item in function.module.functions if item.owner is function.owner]
    return [
        Waker(item, index)
        for item in inside
        for index, event in enumerate(item.events)
        if isinstance(event, Call) and event.method in ends[0] and _receiver(item, event) == signal
    ]


def _receiver(function: FunctionFacts, call: Call) -> Signal | None:
    if call.callee is None:
        return _of_entry(call.receiver)
    place = Place(call.callee.root, call.callee.attributes[:-1])
    return _of_variable(function, place) or Signal(place, is_entry=False)


def _of_entry(value: Value | None) -> Signal | None:
    table = table_of(value) if value is not None else None
    return Signal(table, is_entry=True) if table is not None and table.root == SELF else None


def _of_variable(function: FunctionFacts, place: Place) -> Signal | None:
    """A local variable that is an entry of a table: `queue = self._items[topic]`."""
    values = function.bindings.get(place.root, ()) if place.root != SELF and not place.attributes else ()
    found = {_of_entry(value) for value in values}
    return found.pop() if len(found) == 1 else None


def _entry_kinds(program: Program, function: FunctionFacts, table: Place) -> frozenset[Kind]:
    """What the entries of a table are: what it makes for a new key, and what is put into it."""
    if function.owner is None or len(table.attributes) != 1:
        return frozenset()
    kinds = program.kinds
    made = [
        kinds.value(where, Value(Shape.CALL, place=value.arguments[0].place))
        for where, value in kinds.field_values(function.owner, table.attributes[0])
        if value.name == "defaultdict" and value.arguments and value.arguments[0].place is not None
    ]
    put = [kinds.value(*item) for item in _put(program, function, table)]
    return frozenset[Kind]().union(*made, *put)


def _put(program: Program, function: FunctionFacts, table: Place) -> Iterator[tuple[FunctionFacts, Value]]:
    for item in program.hierarchy.functions(function.owner) if function.owner is not None else ():
        for event in item.events:
            if isinstance(event, Touch) and event.action is Action.WRITE_ITEM and event.place == table:
                yield from ((item, value) for value in event.values)
            if isinstance(event, Call) and event.method == "setdefault" and _is_of(event, table):
                yield from ((item, value) for value in event.arguments[1:])


def _is_of(call: Call, table: Place) -> bool:
    return call.callee == Place(table.root, (*table.attributes, call.method))
