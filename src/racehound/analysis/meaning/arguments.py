"""What parameters without a type are: what the calls of the function give for them, as far as these agree."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from racehound.analysis.testfiles import is_test
from racehound.source.events import LOOPED, SELF, Bind, Call, Place, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

if TYPE_CHECKING:
    from racehound.analysis.meaning.kinds import Kinds

_Classes: TypeAlias = "Callable[[Kinds, FunctionFacts, Value], Iterable[ClassFacts]]"
_MANY = 24
"""A name that so many functions call says little of which function it is, and takes long to find out."""


class Arguments:
    """Does not keep the kinds that it is asked by: they keep it, and would stay until the collector comes."""

    def __init__(self, modules: Sequence[ModuleFacts]) -> None:
        self._modules = modules
        self._callers: dict[str, list[FunctionFacts]] | None = None

    def of(self, kinds: "Kinds", function: FunctionFacts, name: str) -> frozenset[ClassFacts]:
        """Classes whose objects are given; by calls of its own module first, and nothing where they differ."""
        return self._given(kinds, function, name, _classes)

    def items_of(self, kinds: "Kinds", function: FunctionFacts, name: str) -> frozenset[ClassFacts]:
        """Classes of what is in the containers that are given: `start([Reader(), Writer()])`."""
        return self._given(kinds, function, name, _items)

    def _given(
        self, kinds: "Kinds", function: FunctionFacts, name: str, classes: _Classes
    ) -> frozenset[ClassFacts]:
        callers = self._callers_of(function)
        own = [caller for caller in callers if caller.module is function.module]
        others = [caller for caller in callers if caller.module is not function.module]
        found = _given_by(kinds, own, function, name, classes) or _given_by(kinds, others, function, name, classes)
        related = kinds.hierarchy.are_related
        return found if all(related(one, other) for one in found for other in found) else frozenset()

    def _callers_of(self, function: FunctionFacts) -> Sequence[FunctionFacts]:
        if self._callers is None:
            self._callers = {}
            defined = {item.name for module in self._modules for item in module.functions if item.parameters}
            for module in self._modules:
                for name in () if is_test(module) else defined & module.callers.keys():
                    self._callers.setdefault(name, []).extend(module.callers[name])
        found = self._callers.get(function.name, ())
        return found if len(found) <= _MANY else ()


def _given_by(
    kinds: "Kinds", callers: Sequence[FunctionFacts], function: FunctionFacts, name: str, classes: _Classes
) -> frozenset[ClassFacts]:
    return frozenset(
        kind
        for caller in callers
        for _, call in caller.calls_of(function.name)
        for word, value in given(function, call)
        if word == name and call.callee is not None and kinds.callee(caller, call.callee) is function
        for kind in classes(kinds, caller, value)
    )


def _classes(kinds: "Kinds", caller: FunctionFacts, value: Value) -> list[ClassFacts]:
    known = [kind for kind in kinds.value(caller, value) if isinstance(kind, ClassFacts)]
    return known or ([] if value.place is None else kinds.holders(caller, value.place))


def _items(kinds: "Kinds", caller: FunctionFacts, value: Value) -> Iterable[ClassFacts]:
    return kinds.contents.within(kinds, caller, value)


def calls_on_arguments(function: FunctionFacts) -> Iterator[Call]:
    """Calls on what the function, or another one before for its object, was given without saying what it is."""
    for event in function.events if Call in function.holds else ():
        if type(event) is Call and event.callee is not None and is_untyped(function, event.callee):
            yield event


def is_untyped(function: FunctionFacts, place: Place) -> bool:
    """True for an attribute of what a function was given, or of a field, as nothing there says what they are.

    So it is for each item of a list that it was given.
    """
    root, attributes = place
    if not attributes or root == SELF:
        return len(attributes) > 1
    given_here = root in function.parameters and root not in function.annotations
    return given_here or looped_parameter(function, root) is not None


def looped_parameter(function: FunctionFacts, name: str) -> str | None:
    """The parameter without a type whose items a variable stands for: `for job in jobs`."""
    return _looped(function).get(name) if name in function.bound else None


@lru_cache(maxsize=64)
def _looped(function: FunctionFacts) -> dict[str, str]:
    untyped = [name for name in function.parameters if name not in function.annotations]
    found: dict[str, str] = {}
    for event in function.events if untyped and Bind in function.holds else ():
        if type(event) is Bind and event.is_of_loop and event.values and event.values[0].name in LOOPED:
            over = event.values[0].arguments[0].place if event.values[0].arguments else None
            if over is not None and not over.attributes and over.root in untyped:
                found[event.name] = over.root
    return found


def given(function: FunctionFacts, call: Call | Value) -> Iterator[tuple[str, Value]]:
    """What a call gives for the parameters of a function or method."""
    names = function.parameters[1:] if function.is_method else function.parameters
    yield from zip(names, call.arguments, strict=False)
    yield from call.keywords
