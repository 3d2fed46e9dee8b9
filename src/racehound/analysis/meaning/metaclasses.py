"""What `Registry()` runs before, or in place of, the constructor: `__call__` of a metaclass, `__new__`."""

from collections.abc import Iterator

from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import Kinds
from racehound.source.events import METACLASS
from racehound.source.facts import ClassFacts, FunctionFacts

_METACLASSES = frozenset({"type", "abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"})


def is_metaclass(hierarchy: Hierarchy, item: ClassFacts) -> bool:
    return not _METACLASSES.isdisjoint(hierarchy.outside_bases(item))


def is_making_classes(hierarchy: Hierarchy, function: FunctionFacts) -> bool:
    """True for what runs once per `class` statement: `__init_subclass__`, the making of a metaclass."""
    if function.owner is None:
        return False
    if function.name == "__init_subclass__":
        return True
    made = function.name in {"__new__", "__init__"}
    return made and (is_metaclass(hierarchy, function.owner) or "bases" in function.parameters)


def makers_of(kinds: Kinds, made: ClassFacts) -> Iterator[FunctionFacts]:
    """Those that the program has, of the class and of its bases."""
    own = kinds.hierarchy.method(made, "__new__")
    if own is not None:
        yield own
    for item in kinds.hierarchy.linear(made):
        for value in item.attributes.get(METACLASS, ()):
            found = None if value.place is None else kinds.names.resolve(item.module, value.place)
            call = kinds.hierarchy.method(found, "__call__") if isinstance(found, ClassFacts) else None
            if call is not None:
                yield call
