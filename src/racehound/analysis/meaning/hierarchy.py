"""Classes, their bases and derived classes, and the functions that run on their instances."""

from collections.abc import Iterable, Iterator

from racehound.analysis.meaning.names import Names
from racehound.source.events import Call, Exit
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


class Hierarchy:
    def __init__(self, modules: Iterable[ModuleFacts], names: Names) -> None:
        self._names = names
        self._linear: dict[ClassFacts, tuple[ClassFacts, ...]] = {}
        self._functions: dict[ClassFacts, list[FunctionFacts]] = {}
        self._derived: dict[ClassFacts, list[ClassFacts]] = {}
        self._outside: dict[ClassFacts, frozenset[str]] = {}
        self._effective: dict[ClassFacts, tuple[FunctionFacts, ...]] = {}
        self._families: dict[ClassFacts, tuple[ClassFacts, ...]] = {}
        self.modules = tuple(modules)
        self.classes = tuple(item for module in self.modules for item in module.classes)
        self._take(self.modules, self.classes)

    def join(self, module: ModuleFacts) -> None:
        """One more, which was read on the way; what was asked before may be different now."""
        self._take((module,), module.classes)
        for item in module.classes:
            self.linear(item)

    def _take(self, modules: Iterable[ModuleFacts], classes: Iterable[ClassFacts]) -> None:
        for item in classes:
            self._functions[item] = []
            for base in self._bases(item):
                self._derived.setdefault(base, []).append(item)
        for module in modules:
            for function in module.functions:
                if function.owner is not None:
                    self._functions[function.owner].append(function)

    def _bases(self, item: ClassFacts) -> Iterator[ClassFacts]:
        for place in item.bases:
            base = self._names.resolve(item.module, place)
            if isinstance(base, ClassFacts) and base is not item:
                yield base

    def linear(self, item: ClassFacts) -> tuple[ClassFacts, ...]:
        """The class and its bases, depth first, each once; exact where no diamond reorders them."""
        if item not in self._linear:
            seen: dict[ClassFacts, None] = {}
            open_ = [item]
            while open_:
                current = open_.pop()
                if current not in seen:
                    seen[current] = None
                    open_.extend(reversed(list(self._bases(current))))
            self._linear[item] = tuple(seen)
        return self._linear[item]

    def outside_bases(self, item: ClassFacts) -> frozenset[str]:
        """Dotted names of the bases that the program does not define."""
        if item in self._outside:
            return self._outside[item]
        missed, self._names.missed = self._names.missed, set()
        bases = (self._names.resolve(base.module, place) for base in self.linear(item) for place in base.bases)
        found = frozenset(name for name in bases if isinstance(name, str))
        if not self._names.missed:  # or else it is asked again: which files are missed may matter then
            self._outside[item] = found
        self._names.missed |= missed
        return found

    def family(self, item: ClassFacts) -> tuple[ClassFacts, ...]:
        """The class, its bases, and all that derive from one of them."""
        if item not in self._families:
            self._families[item] = self._find_family(item)
        return self._families[item]

    def _find_family(self, item: ClassFacts) -> tuple[ClassFacts, ...]:
        seen: dict[ClassFacts, None] = {}
        open_ = list(self.linear(item))
        for current in open_:  # it grows on the way
            if current not in seen:
                seen[current] = None
                open_.extend(self._derived.get(current, ()))
        return tuple(seen)

    def are_related(self, item: ClassFacts, other: ClassFacts) -> bool:
        """True if one is in the family of the other: a look at their bases, where the family may be large."""
        return item is other or not set(self.linear(item)).isdisjoint(self.linear(other))

    def functions(self, item: ClassFacts) -> list[FunctionFacts]:
        """Methods defined by the class itself, and the functions nested in them."""
        return self._functions[item]

    def method(self, item: ClassFacts, name: str) -> FunctionFacts | None:
        for current in self._linear.get(item) or self.linear(item):  # asked more often than anything else
            if name in current.methods:
                return current.methods[name]
        return None

    def overriding(self, item: ClassFacts, name: str) -> Iterator[FunctionFacts]:
        """Methods of derived classes that run in place of the one of this class."""
        open_ = list(self._derived.get(item, ()))
        seen = set(open_)
        for current in open_:  # it grows on the way
            if name in current.methods:
                yield current.methods[name]
            further = [below for below in self._derived.get(current, ()) if below not in seen]
            seen.update(further)
            open_.extend(further)

    def effective(self, item: ClassFacts) -> tuple[FunctionFacts, ...]:
        """What runs on an instance: own functions, then inherited ones that nothing overrides."""
        if item not in self._effective:
            self._effective[item] = tuple(self._find_effective(item))
        return self._effective[item]

    def _find_effective(self, item: ClassFacts) -> Iterator[FunctionFacts]:
        taken: set[str] = set()
        for current in self.linear(item):
            valid = {method for name, method in current.methods.items() if name not in taken}
            yield from (function for function in self.functions(current) if outer_method(function) in valid)
            taken.update(current.methods)


def outer_method(function: FunctionFacts) -> FunctionFacts:
    """The method that a nested function belongs to, or the function itself."""
    current = function
    while not current.is_method and current.parent is not None and not current.parent.is_module_body:
        current = current.parent
    return current


def is_owed(function: FunctionFacts) -> bool:
    """True for a method that a derived class has to bring: it is abstract, or all it does is to say so."""
    if any((place.attributes or (place.root,))[-1] == "abstractmethod" for place in function.decorators):
        return True
    steps = [event for event in function.events if isinstance(event, Call | Exit)]
    raises = [event for event in steps if isinstance(event, Exit)]
    if not function.is_method or len(raises) != 1 or raises[0].kind != "raise" or len(function.events) > _RAISING:
        return False
    return _OWED in function.loads or any(isinstance(event, Call) and event.method == _OWED for event in steps)


_RAISING = 3
"""Events of a body that makes an exception and raises it."""
_OWED = "NotImplementedError"
