"""What is assigned where: to variables, to attributes, and by `return`."""

from collections.abc import Iterable
from typing import TypeAlias

from racehound.source.events import SELF, Action, Exit, Pause, Place, Touch, Value
from racehound.source.facts import FunctionFacts, ModuleFacts

Assigned: TypeAlias = dict[str, list[tuple[FunctionFacts, Value]]]
"""By name, each value with the function that assigns it."""


def values_of(scope: FunctionFacts, name: str) -> Iterable[Value]:
    """What a variable of a module or a function is given; a parameter, what its annotation says."""
    if scope.is_module_body:
        return scope.module.variables.get(name, ())
    if name in scope.parameters:
        return scope.annotations.get(name, ())
    return scope.bindings.get(name, ())


def returned_by(function: FunctionFacts) -> Iterable[Value]:
    """What a plain function returns; a coroutine or a generator gives something else when it is called."""
    if function.is_async or Pause in function.holds:
        return
    for event in function.events if Exit in function.holds else ():
        if isinstance(event, Exit) and event.kind == "return":
            yield event.value


def attribute_writes(function: FunctionFacts) -> Iterable[Touch]:
    for event in function.events if Action.WRITE in function.holds else ():
        if isinstance(event, Touch) and event.action is Action.WRITE and _is_attribute(event.place):
            yield event


def assigned_globally(module: ModuleFacts) -> Assigned:
    found: Assigned = {}
    for function in module.functions:
        names = function.shared_names & module.variables.keys()
        for event in function.events if names and Action.WRITE in function.holds else ():
            if isinstance(event, Touch) and event.action is Action.WRITE and str(event.place) in names:
                found.setdefault(event.place.root, []).extend((function, value) for value in event.values)
    return found


def _is_attribute(place: Place) -> bool:
    return place.root == SELF and len(place.attributes) == 1
