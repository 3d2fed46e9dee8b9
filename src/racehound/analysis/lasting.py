"""Calls that give an object which outlives them: the one instance of a class, a variable of the module."""

from racehound.analysis.kinds import Kinds, is_of_class
from racehound.source.closures import scope_of
from racehound.source.events import SELF, Exit, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts


def is_lasting(kinds: Kinds, caller: FunctionFacts, value: Value) -> bool:
    """True for `Registry.get()` and `get_registry()`, where all who call it are given the same object."""
    if value.shape is not Shape.CALL or value.place is None:
        return False
    made_by = kinds.callee(caller, value.place)
    if isinstance(made_by, ClassFacts):
        made_by = kinds.hierarchy.method(made_by, "__new__")
    return isinstance(made_by, FunctionFacts) and _hands_out_what_is_kept(made_by)


def _hands_out_what_is_kept(function: FunctionFacts) -> bool:
    if function.is_async:
        return False
    given = [event.value for event in function.events if isinstance(event, Exit) and event.kind == "return"]
    return bool(given) and all(_is_kept(function, value.place) for value in given)


def _is_kept(function: FunctionFacts, place: Place | None) -> bool:
    """True for `cls._instance` and for a variable of the module."""
    if place is None:
        return False
    if place.root == SELF:
        return len(place.attributes) == 1 and is_of_class(function)
    is_of_module = scope_of(function, place.root) is None and place.root in function.module.variables
    return is_of_module and not place.attributes
