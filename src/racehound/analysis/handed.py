"""What several threads of one class are made with: `Worker(stats)`, with the same `stats` for each of them."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.contexts import Contexts
from racehound.analysis.entries import constructions
from racehound.source.events import SELF, Action, Call, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts


class Handed(NamedTuple):
    owner: ClassFacts
    field: str
    """Where the constructor keeps it."""
    maker: FunctionFacts
    value: Value
    """What the maker gives."""


def handed_objects(contexts: Contexts) -> Iterator[Handed]:
    for function, call, owner in constructions(contexts.modules, contexts.calls, contexts.crowds):
        start = owner.methods.get("__init__")
        for name, value in _given(start, call) if start is not None else ():
            if value.place is not None and contexts.outlives(function, value.place, call.loop):
                for field in _kept_in(start, name) if start is not None else ():
                    yield Handed(owner, field, function, value)


def _given(start: FunctionFacts, call: Call) -> Iterator[tuple[str, Value]]:
    named = (*zip(start.parameters[1:], call.arguments, strict=False), *call.keywords)
    return ((name, value) for name, value in named if value.shape is Shape.PLACE)


def _kept_in(start: FunctionFacts, name: str) -> Iterator[str]:
    touches = (event for event in start.events if isinstance(event, Touch) and event.place.root == SELF)
    for touch in touches:
        if touch.action is Action.WRITE and any(value.place == Place(name) for value in touch.values):
            yield touch.place.attributes[0]
