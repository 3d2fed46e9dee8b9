"""What a function does to files by itself and through those that it calls.

`if locked(root): ... lock(root)` looks for a file and makes it as much as if both were written out. The steps of a
helper stand where it is called, and its parameters are what the caller gives for them.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.program import Program
from racehound.source.events import CHANGES, OTHER, SELF, Call, Place, Shape, Touch, Value
from racehound.source.facts import FunctionFacts, ModuleFacts
from racehound.source.filecalls import FileCall, FileVerb


class Reached(NamedTuple):
    """A step on a file; for one of a helper, `call` stands where the helper is called."""

    call: FileCall
    by: FunctionFacts
    """Who takes it."""
    own: FileCall
    """As it stands there."""
    key: str
    """Which file it is: two steps with the same key work on the same one."""


def reached(program: Program, function: FunctionFacts, depth: int = 2) -> Iterator[Reached]:
    """Its own steps, and those of the functions it calls, and of those that they call."""
    for call in function.files:
        yield from (Reached(item, function, call, _key(program, function, item)) for item in _both_ends(call))
    for index, event in enumerate(function.events) if depth else ():
        if isinstance(event, Call) and event.callee is not None:
            yield from _through(program, function, index, event, depth - 1)
        elif isinstance(event, Touch) and (helper := _property(program, function, event)) is not None:
            asked = Call(Place(SELF, (helper.name,)), helper.name, None, (), (), event.span, 0)
            yield from _of_helper(program, function, index, asked, helper, depth - 1)


def _property(program: Program, function: FunctionFacts, touch: Touch) -> FunctionFacts | None:
    """What `self.taken` runs, if it is a property."""
    owner, (root, attributes) = function.owner, touch.place
    if root != SELF or owner is None or touch.action in CHANGES:
        return None
    found = program.kinds.property_of(owner, attributes[0]) if attributes else None
    return None if found is function else found


def _key(program: Program, function: FunctionFacts, call: FileCall) -> str:
    return spelled(_placed(program, function, call.value)) or call.path


def _both_ends(call: FileCall) -> Iterator[FileCall]:
    """What is renamed is written under its new name."""
    yield call
    if call.verb is FileVerb.RENAME and call.destination:
        yield call._replace(verb=FileVerb.WRITE, path=call.destination, value=_named(call.destination))


def _named(text: str) -> Value:
    if not re.fullmatch(r"[A-Za-z_][\w.]*", text):
        return OTHER
    root, *attributes = text.split(".")
    return Value(Shape.PLACE, place=Place(SELF if root == "self" else root, tuple(attributes)))


def _through(program: Program, function: FunctionFacts, index: int, event: Call, depth: int) -> Iterator[Reached]:
    helper = program.calls.target(function, event)
    if helper is not None and helper is not function:
        yield from _of_helper(program, function, index, event, helper, depth)


def _of_helper(
    program: Program, function: FunctionFacts, index: int, event: Call, helper: FunctionFacts, depth: int
) -> Iterator[Reached]:
    for step in reached(program, helper, depth):
        value = _as_caller_says(program, function, helper, event, step.call.value)
        key = "" if value is None else spelled(value)
        if value is not None and key:
            moved = step.call._replace(at=index, span=event.span, value=value, path=_shown(value, step.call))
            yield Reached(moved, step.by, step.own, key)


def _shown(value: Value, call: FileCall) -> str:
    """What the caller calls the file, or else the helper."""
    text = str(value.place) if value.shape is Shape.PLACE else OF_MODULE
    return call.path if OF_MODULE in text else text


OF_MODULE = ".py:"
"""Between the path of a module and the name of its variable, in what stands for the root of a place."""


def _placed(program: Program, function: FunctionFacts, value: Value) -> Value:
    """The value with variables of modules under the one name that all modules can know them by."""
    if value.arguments:
        return value._replace(arguments=tuple([_placed(program, function, item) for item in value.arguments]))
    place = value.place
    if (
        value.shape is not Shape.PLACE
        or place is None
        or place.root in {SELF, *function.bound, *function.parameters}
    ):
        return value
    if place.root in function.module.variables:
        return value._replace(place=Place(_known_as(function.module, place.root), place.attributes))
    found = program.kinds.variable(function.module, place) if place.root in function.module.imports else None
    if found is None:
        return value
    return value._replace(place=Place(_known_as(found.module, found.name), found.attributes))


def _known_as(module: ModuleFacts, name: str) -> str:
    return f"{module.path.removesuffix('.py')}{OF_MODULE}{name}"


def _as_caller_says(
    program: Program, function: FunctionFacts, helper: FunctionFacts, event: Call, value: Value
) -> Value | None:
    """A value of the helper in terms of who calls it; None where the caller does not know it."""
    if value.arguments:
        parts = [_as_caller_says(program, function, helper, event, item) for item in value.arguments]
        known = tuple(item for item in parts if item is not None)
        return value._replace(arguments=known) if len(known) == len(parts) else None
    place = value.place
    if place is not None and place.root == SELF:
        return _of_receiver(event, value, place)
    if value.shape is not Shape.PLACE or place is None:
        return value if value.shape is Shape.CONSTANT else None
    if place.root in helper.bound:
        return None
    if place.root not in helper.parameters:
        return _placed(program, helper, value)
    given = None if place.attributes else _given(helper, event, place.root)
    return None if given is None else _placed(program, function, given)


def _of_receiver(event: Call, value: Value, place: Place) -> Value | None:
    """`self.path` of the helper in `store.load()` is `store.path`, and so with `self.path()`."""
    callee = event.callee
    if callee is None or not callee.attributes:
        return None
    attributes = (*callee.attributes[:-1], *place.attributes)
    return value._replace(place=Place(callee.root, attributes))


def _given(helper: FunctionFacts, event: Call, parameter: str) -> Value | None:
    names = helper.parameters[1:] if helper.is_method else helper.parameters
    pairs = (*zip(names, event.arguments, strict=False), *event.keywords)
    return next((value for word, value in pairs if word == parameter and value.shape is not Shape.OTHER), None)


def spelled(value: Value) -> str:
    """A path in words; empty where a part of it is not known."""
    if value.shape is Shape.PLACE:
        return str(value.place)
    if value.shape is Shape.CONSTANT:
        return "" if value.name == "str" else value.name
    parts = [spelled(item) for item in value.arguments]
    if value.name in _WRAPPERS and len(parts) == 1:
        return parts[0]
    if value.shape is Shape.CALL and not parts and not value.keywords and value.place is not None:
        return f"{value.place}()"
    if not parts or not all(parts):
        return ""
    return f"{value.name or value.place}({', '.join(parts)})"


_WRAPPERS = frozenset({"str", "Path", "PurePath", "fspath"})


def doing(program: Program, *steps: frozenset[FileVerb]) -> Iterator[FunctionFacts]:
    """Functions that take a step of each group, or call something by the name of one that does."""
    working = [item for module in program.modules for item in module.functions if item.files]
    taking = [{item for item in working if _does(item, verbs)} for verbs in steps]
    names = [frozenset(item.name for item in group) for group in taking]
    callers = [
        _calling(program, known) | _asking(program, group) for known, group in zip(names, taking, strict=True)
    ]
    first, *rest = (own | calling for own, calling in zip(taking, callers, strict=True))
    found = first.intersection(*rest)
    homes = {item.module for item in found}
    for module in program.modules:
        yield from (item for item in module.functions if item in found) if module in homes else ()


def _does(function: FunctionFacts, verbs: frozenset[FileVerb]) -> bool:
    return any(call.verb in verbs for call in function.files)


def _calling(program: Program, names: frozenset[str]) -> set[FunctionFacts]:
    return {
        item
        for module in program.modules
        for name in module.callers.keys() & names
        for item in module.callers[name]
    }


def _asking(program: Program, group: set[FunctionFacts]) -> set[FunctionFacts]:
    """Methods that read one of them as a property of their object."""
    asked = [
        item for item in group if item.is_method and any(place.root == "property" for place in item.decorators)
    ]
    return {
        method
        for item in asked
        for kind in (program.hierarchy.family(item.owner) if item.owner is not None else ())
        for method in kind.methods.values()
        if any(isinstance(event, Touch) and event.place == Place(SELF, (item.name,)) for event in method.events)
    }
