"""The part of RH203 that speaks of callbacks of futures: one that is done already calls them on the spot."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.locking.takings import Taking, Takings
from racehound.analysis.program import Program
from racehound.source.events import SELF, Call, Shape, Value
from racehound.source.facts import FunctionFacts

_ADDING = "add_done_callback"
_FUTURES = frozenset({"concurrent.futures.Future", "concurrent.futures._base.Future"})


class CalledAtOnce(NamedTuple):
    at: int
    """Where the future is given the callback."""
    callback: FunctionFacts
    taking: Taking


def called_at_once(program: Program, takings: Takings, function: FunctionFacts) -> Iterator[CalledAtOnce]:
    """Callbacks that take a lock which is held where they are given to a future of a pool."""
    held = program.locksets.within(function)
    for index, call in function.calls_of(_ADDING):
        if not held[index] or not call.arguments or not _is_of_pool(program, function, call):
            continue
        callback = program.calls.function(function, call.arguments[0])
        for taking in takings.all(callback) if callback is not None else ():
            same = taking.lock in takings.fixed or (taking.on_self and _is_on_self(callback, call.arguments[0]))
            if callback is not None and held[index] & taking.lock and takings.is_plain(taking.lock) and same:
                yield CalledAtOnce(index, callback, taking)


def _is_of_pool(program: Program, function: FunctionFacts, call: Call) -> bool:
    """A future of an event loop never calls back on the spot."""
    value = call.receiver
    if value is None:
        return False
    made = function.bindings.get(value.place.root, ()) if value.place and not value.place.attributes else ()
    return any(map(_is_submitted, (value, *made))) or bool(program.kinds.value(function, value) & _FUTURES)


def _is_submitted(value: Value) -> bool:
    return value.shape is Shape.CALL and value.name == "submit"


def _is_on_self(callback: FunctionFacts | None, value: Value) -> bool:
    if callback is None or not callback.is_method:
        return True  # nested: `self` is the one of the function around it
    return value.place is not None and value.place.root == SELF and len(value.place.attributes) == 1
