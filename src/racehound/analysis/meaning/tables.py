"""What tables hold that a module or a class writes out: `HANDLERS = {"echo": Echo(), "sum": Summer()}`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from racehound.source.closures import scope_of
from racehound.source.events import ITEM, SELF, Place, Shape, Value
from racehound.source.facts import FunctionFacts

if TYPE_CHECKING:
    from racehound.analysis.meaning.kinds import Kinds

Entry: TypeAlias = tuple[FunctionFacts, Value]
"""What an entry is written as, with the module body in which it is."""


def table_of(value: Value) -> Place | None:
    """The table behind `HANDLERS[name]` and `HANDLERS.get(name)`."""
    if value.shape is Shape.OTHER and value.name == ITEM and value.arguments:
        return value.arguments[0].place
    if value.shape is Shape.CALL and value.name == "get" and value.place is not None:
        return Place(value.place.root, value.place.attributes[:-1])
    return None


def entries(kinds: "Kinds", function: FunctionFacts, table: Place) -> Iterator[Entry]:
    for body, value in written(kinds, function, table):
        if value.shape is Shape.CONTAINER and value.name != "tuple":
            yield from ((body, item) for item in value.arguments)


def written(kinds: "Kinds", function: FunctionFacts, place: Place) -> Iterator[Entry]:
    """What the bodies of modules and classes assign to a variable, whoever names it."""
    root, attributes = place
    if root == SELF:
        for item in kinds.hierarchy.linear(function.owner) if function.owner and len(attributes) == 1 else ():
            yield from ((item.module.functions[0], value) for value in item.attributes.get(attributes[0], ()))
    elif scope_of(function, root) is None:
        found = kinds.variable(function.module, place)
        module, name, rest = (function.module, root, attributes) if found is None else found
        for value in () if rest else module.variables.get(name, ()):
            yield module.functions[0], value
