"""What several threads of one class are made with: `Worker(stats)`, with the same `stats` for each of them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.meaning.arguments import given
from racehound.analysis.meaning.calls import Calls, is_inherited
from racehound.analysis.meaning.constructions import constructions
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.threads.activations import outlives
from racehound.source.events import SELF, Action, Call, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_SEVERAL = 2


class Handed(NamedTuple):
    owner: ClassFacts
    field: str
    """Where the constructor keeps it."""
    maker: FunctionFacts
    value: Value
    """What the maker gives."""


def handed_objects(
    modules: Iterable[ModuleFacts], calls: Calls, crowds: frozenset[ClassFacts]
) -> Iterator[Handed]:
    """Each once: made with in a loop, or in two places of one function."""
    found, hierarchy = Counter[Handed](), calls.kinds.hierarchy
    for function, call, owner in constructions(modules, calls, crowds):
        start = hierarchy.method(owner, "__init__")
        if start is not None and owner in crowds:
            for name, value in _given(start, call):
                if value.place is not None and outlives(function, value.place, call.loop):
                    several = _SEVERAL if call.loop else 1
                    found.update(
                        {
                            Handed(owner, field, function, value): several
                            for field in _kept_in(hierarchy, start, name)
                        }
                    )
    return (handed for handed, times in found.items() if times >= _SEVERAL)


def _given(start: FunctionFacts, call: Call) -> Iterator[tuple[str, Value]]:
    return ((name, value) for name, value in given(start, call) if value.shape is Shape.PLACE)


def _kept_in(hierarchy: Hierarchy, start: FunctionFacts, name: str) -> Iterator[str]:
    """Also where the constructor hands it on to that of a base: `super().__init__(stats)`."""
    for base, call in _bases_called(hierarchy, start):
        for inner, value in _given(base, call):
            if value.place == Place(name):
                yield from _kept_in(hierarchy, base, inner)
    touches = (event for event in start.events if isinstance(event, Touch) and event.place.root == SELF)
    for touch in touches:
        if touch.action is Action.WRITE and any(value.place == Place(name) for value in touch.values):
            yield touch.place.attributes[0]


def _bases_called(hierarchy: Hierarchy, start: FunctionFacts) -> Iterator[tuple[FunctionFacts, Call]]:
    bases = () if start.owner is None else hierarchy.linear(start.owner)[1:]
    base = next((item.methods[start.name] for item in bases if start.name in item.methods), None)
    if base is not None:
        yield from ((base, call) for _, call in start.calls_of(start.name) if is_inherited(call))
