"""Fields in which one object puts itself into another: `above.below = self`."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from racehound.source.events import SELF, Action, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

if TYPE_CHECKING:
    from racehound.analysis.meaning.kinds import Kinds

_Link: TypeAlias = tuple[FunctionFacts, Place, Value]
"""Who puts itself there, into what, and itself."""


class Linked:
    def __init__(self, modules: Iterable[ModuleFacts]) -> None:
        self._modules = tuple(modules)
        self._by_name: dict[str, list[_Link]] | None = None

    def values(self, kinds: "Kinds", owner: ClassFacts, name: str) -> Iterator[tuple[FunctionFacts, Value]]:
        """What objects of other classes put into the field, as far as it is known that this is the class."""
        if self._by_name is None:
            self._by_name = _collect(self._modules)
        line = kinds.hierarchy.linear(owner)
        for function, base, value in self._by_name.get(name, ()):
            known = kinds.place(function, base)
            if not known.isdisjoint(line) or (not known and _is_only_one_with(kinds, owner, name, function)):
                yield function, value


def _is_only_one_with(kinds: "Kinds", owner: ClassFacts, name: str, function: FunctionFacts) -> bool:
    """True for the one class of the module that has such a field: what has no type is most likely that."""
    return [item for item in function.module.classes if kinds.declares(item, name)] == [owner]


def _collect(modules: Iterable[ModuleFacts]) -> dict[str, list[_Link]]:
    found: dict[str, list[_Link]] = {}
    for module in modules:
        for function in module.functions:
            for event in function.events if Action.WRITE in function.holds and function.is_method else ():
                if isinstance(event, Touch) and event.action is Action.WRITE:
                    for base, value in _links(event):
                        found.setdefault(event.place.attributes[-1], []).append((function, base, value))
    return found


def _links(touch: Touch) -> Iterator[tuple[Place, Value]]:
    root, attributes = touch.place
    if not attributes or (root == SELF and len(attributes) == 1):
        return
    for value in touch.values:
        if value.shape is Shape.PLACE and value.place == Place(SELF):
            yield Place(root, attributes[:-1]), value
