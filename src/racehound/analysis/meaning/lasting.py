"""Calls that give an object which outlives them: the one instance of a class, a variable of the module."""

from collections.abc import Iterator

from racehound.analysis.meaning.callees import is_of_class
from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.meaning.metaclasses import is_metaclass, makers_of
from racehound.analysis.meaning.tables import table_of
from racehound.analysis.meaning.wrappers import stand_ins
from racehound.source.closures import scope_of, scopes_around
from racehound.source.events import SELF, Exit, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts


def is_lasting(kinds: Kinds, caller: FunctionFacts, value: Value) -> bool:
    """True for `Registry.get()` and `get_registry()`, where all who call it are given the same object."""
    if value.shape is not Shape.CALL or value.place is None:
        return False
    made_by = kinds.callee(caller, value.place)
    if isinstance(made_by, ClassFacts):
        return any(_hands_out_what_is_kept(kinds, item) for item in in_place_of(kinds, made_by))
    return isinstance(made_by, FunctionFacts) and _hands_out_what_is_kept(kinds, made_by)


def in_place_of(kinds: Kinds, made: ClassFacts) -> Iterator[FunctionFacts]:
    """What `Registry()` runs where a decorator has put a function in the place of the class, or before it."""
    for place in made.decorators:
        found = kinds.callee(made.module.functions[0], place)
        yield from stand_ins(found) if isinstance(found, FunctionFacts) else ()
    yield from makers_of(kinds, made)


def _hands_out_what_is_kept(kinds: Kinds, function: FunctionFacts) -> bool:
    if function.is_async:
        return False
    given = [event.value for event in function.events if isinstance(event, Exit) and event.kind == "return"]
    return bool(given) and all(_is_kept(kinds, function, _kept_in(value)) for value in given)


def _kept_in(value: Value) -> Place | None:
    return value.place if value.shape is Shape.PLACE else table_of(value)


def _is_kept(kinds: Kinds, function: FunctionFacts, place: Place | None) -> bool:
    """True for `cls._instance`, for a variable of the module, and for one that a decorator made for the class."""
    if place is None:
        return False
    if scope_of(function, place.root) in scopes_around(function):
        return True
    if place.root == SELF:
        return len(place.attributes) == 1 and _is_given_the_class(kinds, function)
    if len(place.attributes) == 1 and scope_of(function, place.root) is None:
        return isinstance(kinds.names.resolve(function.module, Place(place.root)), ClassFacts)
    is_of_module = scope_of(function, place.root) is None and place.root in function.module.variables
    return is_of_module and not place.attributes


def _is_given_the_class(kinds: Kinds, function: FunctionFacts) -> bool:
    owner = function.owner
    return is_of_class(function) or (owner is not None and is_metaclass(kinds.hierarchy, owner))
