"""Containers that lose an item when an object goes: the collector does that in the middle of a loop over them."""

from collections.abc import Iterator

from racehound.analysis.finalizers import REGISTERING, registered
from racehound.analysis.program import Program
from racehound.source.events import SELF, Action, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_TAKING_OUT = frozenset({"pop", "discard", "remove", "popitem", "clear"})


def collected(
    program: Program,
) -> Iterator[tuple[ClassFacts | ModuleFacts, tuple[FunctionFacts, int], tuple[FunctionFacts, int]]]:
    """Whose container it is, the loop over it, and where a finalizer takes an item out."""
    for target in dict.fromkeys(_finalizers(program)):
        for at, place in _taken(target):
            owner: ClassFacts | ModuleFacts = target.module
            if place.root == SELF and target.owner is not None:
                owner = target.owner
            if isinstance(owner, ModuleFacts) and place.root not in owner.variables:
                continue
            functions = owner.functions if isinstance(owner, ModuleFacts) else program.hierarchy.effective(owner)
            for function in functions:
                if function is not target and Action.ITERATE in function.holds:
                    for index in _loops(function, place):
                        yield owner, (function, index), (target, at)


def _finalizers(program: Program) -> Iterator[FunctionFacts]:
    for module in program.modules:
        for name in REGISTERING & module.callers.keys():
            for function in dict.fromkeys(module.callers[name]):
                for _, call in function.calls_of(name):
                    found = registered(program.calls, program.kinds, function, call)
                    yield from (item.function for item in found if not item.is_signal)


def _taken(function: FunctionFacts) -> Iterator[tuple[int, Place]]:
    """Items that go for good, not what the function puts back."""
    for index, event in enumerate(function.events):
        if isinstance(event, Touch) and len(event.place.attributes) == (event.place.root == SELF):
            taken = event.action is Action.MUTATE and event.method in _TAKING_OUT
            if taken or event.action is Action.DELETE:
                yield index, event.place


def _loops(function: FunctionFacts, place: Place) -> Iterator[int]:
    for index, event in enumerate(function.events):
        if isinstance(event, Touch) and event.action is Action.ITERATE and event.place == place:
            yield index
