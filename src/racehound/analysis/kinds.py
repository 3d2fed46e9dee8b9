"""What values are: classes of the program, outside types by dotted name, built-in containers."""

from collections.abc import Iterable
from typing import TypeAlias

from racehound.analysis.hierarchy import Hierarchy
from racehound.analysis.names import Names
from racehound.source.events import SELF, Action, Bind, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

Kind: TypeAlias = ClassFacts | str
NONE = "None"

CONTAINERS = frozenset(
    {
        *("dict", "list", "set", "bytearray", "Dict", "List", "Set", "MutableMapping", "MutableSequence"),
        *("collections.OrderedDict", "collections.defaultdict", "collections.Counter", "collections.ChainMap"),
        *("typing.Dict", "typing.List", "typing.Set", "typing.DefaultDict", "typing.MutableMapping"),
        *("collections.abc.MutableMapping", "collections.abc.MutableSequence", "collections.abc.MutableSet"),
    }
)
SELF_CONTAINED = frozenset(
    {
        *("queue.Queue", "queue.SimpleQueue", "queue.LifoQueue", "queue.PriorityQueue", "multiprocessing.Queue"),
        *("asyncio.Queue", "collections.deque", "typing.Deque", "deque"),
        *("threading.Event", "threading.local", "threading.Barrier", "threading.Thread", "threading.Timer"),
        *("_thread._local", "contextvars.ContextVar", "asyncio.Event", "itertools.count", "logging.getLogger"),
        *("concurrent.futures.Future", "concurrent.futures.ThreadPoolExecutor", "weakref.ref", "logging.Logger"),
        *("concurrent.futures.ProcessPoolExecutor", "multiprocessing.Value", "multiprocessing.Event"),
    }
)
"""Types whose single operations are atomic, or that are confined to a thread or a task by nature."""

_DEPTH = 6
"""How far values are followed through other values: cyclic assignments end there."""


class Kinds:
    def __init__(self, names: Names, hierarchy: Hierarchy) -> None:
        self._names = names
        self._hierarchy = hierarchy
        self._fields: dict[tuple[ClassFacts, str], frozenset[Kind]] = {}
        self._writes: dict[ClassFacts, dict[str, list[tuple[FunctionFacts, Value]]]] = {}

    def field(self, owner: ClassFacts, name: str, depth: int = _DEPTH) -> frozenset[Kind]:
        """What an attribute of instances may hold, by all that is assigned to it along the bases."""
        key = (owner, name)
        if key not in self._fields:
            found: set[Kind] = set()
            for function, value in self.field_values(owner, name):
                found |= self.value(function, value, depth)
            if depth < _DEPTH:
                return frozenset(found)
            self._fields[key] = frozenset(found)
        return self._fields[key]

    def field_values(self, owner: ClassFacts, name: str) -> Iterable[tuple[FunctionFacts, Value]]:
        for item in self._hierarchy.linear(owner):
            body = item.module.functions[0]
            yield from ((body, value) for value in item.attributes.get(name, ()))
            yield from self._written(item).get(name, ())

    def _written(self, owner: ClassFacts) -> dict[str, list[tuple[FunctionFacts, Value]]]:
        if owner not in self._writes:
            written: dict[str, list[tuple[FunctionFacts, Value]]] = {}
            for function in self._hierarchy.functions(owner):
                for event in function.events:
                    if isinstance(event, Touch) and event.action is Action.WRITE and event.place.root == SELF:
                        if len(event.place.attributes) == 1:
                            values = ((function, value) for value in event.values)
                            written.setdefault(event.place.attributes[0], []).extend(values)
            self._writes[owner] = written
        return self._writes[owner]

    def written_names(self, owner: ClassFacts) -> Iterable[str]:
        """Attributes that the functions of this class itself assign."""
        return self._written(owner)

    def declares(self, owner: ClassFacts, name: str) -> bool:
        """True if this class itself, not a base, gives the attribute a value."""
        return name in owner.attributes or name in self._written(owner)

    def value(self, function: FunctionFacts, value: Value, depth: int = _DEPTH) -> frozenset[Kind]:
        if depth == 0:
            return frozenset()
        match value.shape:
            case Shape.CONTAINER:
                return frozenset({value.name})
            case Shape.CONSTANT:
                return frozenset({value.name if value.name in {"None", "True", "False"} else "constant"})
            case Shape.CALL:
                return self._result(function, value, depth)
            case Shape.ANNOTATION if value.place is not None:
                return self._class(self._names.resolve(function.module, value.place))
            case Shape.PLACE if value.place is not None:
                return self.place(function, value.place, depth - 1)
        return frozenset()

    def _class(self, definition: object) -> frozenset[Kind]:
        return frozenset({definition}) if isinstance(definition, ClassFacts | str) else frozenset()

    def _result(self, function: FunctionFacts, value: Value, depth: int) -> frozenset[Kind]:
        for word, factory in value.keywords:
            if word in {"default_factory", "factory"}:
                return self._result(function, Value(Shape.CALL, place=factory.place), depth)
        if value.place is None:
            return frozenset()
        definition = self.callee(function, value.place)
        if isinstance(definition, FunctionFacts):
            kinds = (self.value(definition, item, depth - 1) for item in definition.returns)
            return frozenset[Kind]().union(*kinds)
        return self._class(definition)

    def callee(self, function: FunctionFacts, place: Place) -> ClassFacts | FunctionFacts | str | None:
        """The class or function that a call of `place` runs, where only one is possible."""
        if place.root != SELF and not place.attributes:
            nested = self._nested(function, place.root)
            if nested is not None:
                return nested
        if place.root == SELF or self._is_variable(function, place.root):
            return self._method(function, place)
        found = self._names.resolve(function.module, place)
        if found is None and place.attributes:
            return self._method(function, place)
        return None if isinstance(found, ModuleFacts) else found

    def _nested(self, function: FunctionFacts, name: str) -> FunctionFacts | None:
        scope: FunctionFacts | None = function
        while scope is not None:
            if name in scope.bound:
                for event in scope.events:
                    if isinstance(event, Bind) and event.name == name and event.values:
                        if event.values[0].shape is Shape.FUNCTION:
                            found = self._names.local(function.module, event.values[0].name)
                            return found if isinstance(found, FunctionFacts) else None
                return None
            scope = scope.parent
        return None

    def _method(self, function: FunctionFacts, place: Place) -> FunctionFacts | None:
        if not place.attributes:
            return None
        owners = self.place(function, Place(place.root, place.attributes[:-1]), _DEPTH)
        for owner in owners:
            if isinstance(owner, ClassFacts):
                method = self._hierarchy.method(owner, place.attributes[-1])
                if method is not None:
                    return method
        return None

    def _is_variable(self, function: FunctionFacts, name: str) -> bool:
        scope: FunctionFacts | None = function
        while scope is not None and not scope.is_module_body:
            if name in scope.bound or name in scope.parameters:
                return True
            scope = scope.parent
        return False

    def place(self, function: FunctionFacts, place: Place, depth: int = _DEPTH) -> frozenset[Kind]:
        if depth <= 0:
            return frozenset()
        kinds = self._root(function, place.root, depth)
        for attribute in place.attributes:
            found: set[Kind] = set()
            for kind in kinds:
                if isinstance(kind, ClassFacts):
                    found |= self.field(kind, attribute, depth - 1)
            kinds = frozenset(found)
        return kinds

    def _root(self, function: FunctionFacts, root: str, depth: int) -> frozenset[Kind]:
        if root == SELF:
            return self._class(function.owner)
        scope: FunctionFacts | None = function
        while scope is not None and not scope.is_module_body:
            if root in scope.parameters:
                return self._given(scope, scope.annotations.get(root, ()), depth)
            if root in scope.bound:
                return self._given(scope, self._bindings(scope, root), depth)
            scope = scope.parent
        module = function.module
        return self._given(module.functions[0], module.variables.get(root, ()), depth)

    def _given(self, scope: FunctionFacts, values: Iterable[Value], depth: int) -> frozenset[Kind]:
        return frozenset[Kind]().union(*(self.value(scope, value, depth - 1) for value in values))

    def _bindings(self, scope: FunctionFacts, name: str) -> Iterable[Value]:
        for event in scope.events:
            if isinstance(event, Bind) and event.name == name:
                yield from event.values
