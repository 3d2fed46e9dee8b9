"""What a variable or a field was given, also where it stands for the items of a list, filled one by one."""

from collections.abc import Iterator

from racehound.analysis.meaning.assigned import assigned_globally, values_of
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import Kinds
from racehound.source.closures import scope_of
from racehound.source.events import SELF, Action, Bind, Call, Event, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_FILLING = frozenset({"add", "append", "appendleft", "insert"})
_NEAR = 4
"""Events from the loop over a list to its variable."""


class Given:
    def __init__(self, kinds: Kinds, hierarchy: Hierarchy) -> None:
        self._kinds = kinds
        self._hierarchy = hierarchy

    def to(self, function: FunctionFacts, value: Value | None) -> Iterator[tuple[FunctionFacts, Value]]:
        if value is None or value.shape is Shape.CALL:
            if value is not None:
                yield function, value
            return
        place = value.place
        if place is None:
            return
        if place.root == SELF and function.owner is not None and len(place.attributes) == 1:
            yield from self._kinds.field_values(function.owner, place.attributes[0])
        if not place.attributes:
            yield from self._to_variable(function, place.root)

    def _to_variable(self, function: FunctionFacts, name: str) -> Iterator[tuple[FunctionFacts, Value]]:
        if name in function.module.variables and scope_of(function, name) is None:
            body = function.module.functions[0]
            yield from ((body, value) for value in values_of(body, name))
            yield from assigned_globally(function.module).get(name, ())
        for index, event in enumerate(function.events):
            if isinstance(event, Bind) and event.name == name:
                yield from ((function, item) for item in event.values)
                listed = None if not event.is_of_loop else _gone_over(function.events, index)
                if listed is not None and function.owner is not None:
                    yield from self._items(function.owner, listed)

    def _items(self, owner: ClassFacts, listed: Place) -> Iterator[tuple[FunctionFacts, Value]]:
        """What `self._threads` is filled with, whole or one by one."""
        for base in self._hierarchy.linear(owner):
            for function in base.methods.values():
                for event in function.events if Touch in function.holds else ():
                    if isinstance(event, Call) and event.method in _FILLING and _receiver(event) == listed:
                        yield from (
                            (function, item) for given in event.arguments for item in _made(function, given)
                        )
                    elif isinstance(event, Touch) and event.place == listed and event.action is Action.WRITE:
                        calls = (function.events[source] for source in event.sources)
                        yield from ((function, _outline(call)) for call in calls if isinstance(call, Call))


def _gone_over(events: list[Event], bound: int) -> Place | None:
    """The field whose items the variable stands for."""
    for event in reversed(events[max(0, bound - _NEAR) : bound]):
        if isinstance(event, Touch) and event.action in {Action.ITERATE, Action.READ}:
            return event.place if event.place.root == SELF and len(event.place.attributes) == 1 else None
    return None


def _receiver(call: Call) -> Place | None:
    return call.receiver.place if call.receiver is not None else None


def _made(function: FunctionFacts, value: Value) -> tuple[Value, ...]:
    """What a local variable was given, for the variable."""
    place = value.place if value.shape is Shape.PLACE else None
    if place is None or place.attributes:
        return (value,)
    return tuple(function.bindings.get(place.root, ()))


def _outline(call: Call) -> Value:
    return Value(Shape.CALL, call.method, call.callee, call.arguments, call.keywords)
