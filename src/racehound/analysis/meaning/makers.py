"""What constructors are given: the objects that whoever makes one puts in."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from racehound.analysis.meaning.arguments import given
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.testfiles import is_test
from racehound.source.events import Call, Value
from racehound.source.facts import ClassFacts, FunctionFacts

if TYPE_CHECKING:
    from racehound.analysis.meaning.kinds import Kinds


class Makers:
    """Does not keep the kinds that it is asked by, as `Arguments`."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self._hierarchy = hierarchy
        self._callers: dict[str, list[FunctionFacts]] | None = None

    def give(self, kinds: "Kinds", start: FunctionFacts, name: str) -> frozenset[ClassFacts]:
        """By the module of the class first; what others give counts where they agree on it."""
        owner = start.owner
        if owner is None:
            return frozenset()
        own = _given_by(kinds, owner.module.callers.get(owner.name, ()), start, name, owner)
        if own:
            return own
        found = _given_by(kinds, self._of(owner.name), start, name, owner)
        found = found or self._by_heirs(kinds, owner, start, name)
        agreed = all(self._hierarchy.are_related(one, other) for one in found for other in found)
        return found if agreed else frozenset()

    def _by_heirs(
        self, kinds: "Kinds", owner: ClassFacts, start: FunctionFacts, name: str
    ) -> frozenset[ClassFacts]:
        """What derived classes are made with, whose constructor this is or which hand it on to this one."""
        found: frozenset[ClassFacts] = frozenset()
        for heir in self._hierarchy.family(owner):
            if heir is owner:
                continue
            if self._hierarchy.method(heir, start.name) is start:
                found |= _given_by(kinds, self._of(heir.name), start, name, heir)
            elif owner in self._hierarchy.linear(heir)[1:2] and start.name in heir.methods:
                found |= self._handed_on(kinds, heir.methods[start.name], start, name)
        return found

    def _handed_on(
        self, kinds: "Kinds", heir: FunctionFacts, start: FunctionFacts, name: str
    ) -> frozenset[ClassFacts]:
        """By `super().__init__(table)` in the constructor of a derived class."""
        found: frozenset[ClassFacts] = frozenset()
        for _, call in heir.calls_of(start.name):
            for word, value in given(start, call):
                place = value.place
                if word != name or place is None or call.callee is not None:
                    continue
                if not place.attributes and place.root in heir.parameters and not kinds.place(heir, place):
                    found |= self.give(kinds, heir, place.root)
                else:
                    found |= frozenset(
                        kind for kind in _objects(kinds, heir, value) if isinstance(kind, ClassFacts)
                    )
        return found

    def _of(self, name: str) -> Sequence[FunctionFacts]:
        """Functions with a call of a class of this name."""
        if self._callers is None:
            self._callers = {}
            named = {item.name for item in self._hierarchy.classes}
            for module in self._hierarchy.modules:
                for called in () if is_test(module) else named & module.callers.keys():
                    self._callers.setdefault(called, []).extend(module.callers[called])
        return self._callers.get(name, ())


def _given_by(
    kinds: "Kinds", makers: Iterable[FunctionFacts], start: FunctionFacts, name: str, made: ClassFacts
) -> frozenset[ClassFacts]:
    return frozenset(
        kind
        for function in makers
        for call in _constructions(kinds, function, made)
        for word, value in given(start, call)
        if word == name
        for kind in _objects(kinds, function, value)
        if isinstance(kind, ClassFacts)
    )


def _objects(kinds: "Kinds", function: FunctionFacts, value: Value) -> Iterable[object]:
    return kinds.value(function, value) or (() if value.place is None else kinds.handed(function, *value.place))


def _constructions(kinds: "Kinds", function: FunctionFacts, owner: ClassFacts) -> Iterator[Call]:
    for _, call in function.calls_of(owner.name):
        if call.callee is not None and kinds.names.resolve(function.module, call.callee) is owner:
            yield call
