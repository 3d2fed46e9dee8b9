"""What a call runs: the class or function behind a name, an attribute, an object that can be called."""

from typing import TYPE_CHECKING

from racehound.analysis.meaning.likely_classes import likely_class
from racehound.analysis.meaning.tables import written
from racehound.analysis.meaning.wrappers import stand_ins
from racehound.source.closures import scope_of
from racehound.source.events import SELF, Place, Shape
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

if TYPE_CHECKING:
    from racehound.analysis.meaning.kinds import Kinds

_ITSELF = Place(SELF)


def is_of_class(function: FunctionFacts) -> bool:
    """True for a method that is given the class: `__new__`, and what is marked as a class method."""
    return function.name == "__new__" or any(place.root == "classmethod" for place in function.decorators)


def is_of_object(kinds: "Kinds", function: FunctionFacts, place: Place, found: object) -> bool:
    """True for `@limiter` and `@cache.keep`, where an object of the module has the decorator as its method."""
    if not isinstance(found, FunctionFacts) or not found.is_method or is_of_class(found):
        return False
    return not isinstance(kinds.names.resolve(function.module, Place(place.root)), ClassFacts)


def called(kinds: "Kinds", function: FunctionFacts, place: Place) -> ClassFacts | FunctionFacts | str | None:
    if place == _ITSELF and is_of_class(function):
        return function.owner
    if place.root == SELF or scope_of(function, place.root) is not None:
        if not place.attributes:
            return _nested(kinds, function, place.root) or _called_object(kinds, function, place)
        known = _method(kinds, function, place) or _kept_class(kinds, function, place)
        return known or _called_object(kinds, function, place) or _left_to_derived(kinds, function, place)
    found = kinds.names.resolve(function.module, place)
    if found is None:
        known = _inherited(kinds, function, place) or _method(kinds, function, place) if place.attributes else None
        return known or _called_object(kinds, function, place) or _handed_out(kinds, function.module, place)
    return None if isinstance(found, ModuleFacts) else found


def _left_to_derived(kinds: "Kinds", function: FunctionFacts, place: Place) -> FunctionFacts | None:
    """The method behind `self.step()` that only a derived class has, and only one."""
    if place.root != SELF or len(place.attributes) != 1 or function.owner is None:
        return None
    found = list(kinds.hierarchy.overriding(function.owner, place.attributes[0]))
    return found[0] if len(found) == 1 else None


def _inherited(kinds: "Kinds", function: FunctionFacts, place: Place) -> FunctionFacts | None:
    """The method behind `Child.get()` that a base of the class has."""
    owner = kinds.names.resolve(function.module, Place(place.root, place.attributes[:-1]))
    return kinds.hierarchy.method(owner, place.attributes[-1]) if isinstance(owner, ClassFacts) else None


def _called_object(kinds: "Kinds", function: FunctionFacts, place: Place) -> FunctionFacts | None:
    """The method behind `retry(work)`, where `retry` is an object of the program."""
    found = (kinds.hierarchy.method(owner, "__call__") for owner in kinds.holders(function, place))
    method = next((method for method in found if method is not None), None)
    if method is not None or place.root == SELF:
        return method
    module = function.module
    is_variable = place.root in module.imports or (place.root in module.variables and not place.attributes)
    return _made_function(kinds, function, place) if is_variable else None


def _made_function(kinds: "Kinds", function: FunctionFacts, place: Place) -> FunctionFacts | None:
    """The function behind `next_id()`, where the module says `next_id = counter()`, and that returns it."""
    for body, value in written(kinds, function, place):
        maker = (
            kinds.names.resolve(body.module, value.place) if value.shape is Shape.CALL and value.place else None
        )
        made = list(stand_ins(maker)) if isinstance(maker, FunctionFacts) else []
        if len(made) == 1:
            return made[0]
    return None


def _handed_out(kinds: "Kinds", module: ModuleFacts, place: Place) -> FunctionFacts | None:
    """The function that a factory has made for a variable of the module: `fetch = retrying(download)`."""
    home, name = module, place.root
    if name in module.imports:
        found = kinds.variable(module, place)
        if found is None or found.attributes:
            return None
        home, name = found.module, found.name
    values = home.variables.get(name, ())
    factory = kinds.names.resolve(home, values[0].place) if len(values) == 1 and values[0].place else None
    if not isinstance(factory, FunctionFacts) or values[0].shape is not Shape.CALL:
        return None
    made = list(stand_ins(factory))
    return made[0] if len(made) == 1 else None


def _kept_class(kinds: "Kinds", function: FunctionFacts, place: Place) -> ClassFacts | str | None:
    """The class behind `self.Thread(...)`, where the body of the class of `self` says what it is."""
    if place.root != SELF or function.owner is None or len(place.attributes) != 1:
        return None
    for item in kinds.hierarchy.linear(function.owner):
        for value in item.attributes.get(place.attributes[0], ()):
            if value.shape is Shape.PLACE and value.place is not None:
                found = kinds.names.resolve(item.module, value.place)
                return found if isinstance(found, ClassFacts | str) else None
    return None


def _nested(kinds: "Kinds", function: FunctionFacts, name: str) -> FunctionFacts | None:
    scope = scope_of(function, name)
    for value in scope.bindings.get(name, ()) if scope is not None else ():
        if value.shape is Shape.FUNCTION:
            found = kinds.names.local(function.module, value.name)
            return found if isinstance(found, FunctionFacts) else None
    return None


def _method(kinds: "Kinds", function: FunctionFacts, place: Place) -> FunctionFacts | None:
    receiver = place.attributes[:-1]
    if place.root == SELF and not receiver:
        owner = function.owner
        return None if owner is None else kinds.hierarchy.method(owner, place.attributes[0])
    known = kinds.holders(function, Place(place.root, receiver))
    if len(known) > 1:
        known.sort(key=lambda item: (item.module.path, item.span))
    for owner in known:
        method = kinds.hierarchy.method(owner, place.attributes[-1])
        if method is not None:
            return method
    return None if known else _of_likely_class(kinds, function, place)


def _of_likely_class(kinds: "Kinds", function: FunctionFacts, place: Place) -> FunctionFacts | None:
    """The method that only one class of the module has, for an object of which nothing says what it is."""
    owner = likely_class(kinds, function, place)
    return None if owner is None else kinds.hierarchy.method(owner, place.attributes[-1])
