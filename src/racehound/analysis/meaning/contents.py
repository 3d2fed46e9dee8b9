"""What containers hold: by annotation, by comprehension, by what is put into them.

Only objects of the program count; of built-in values and locks that lie in containers nothing is said.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from racehound.analysis.meaning.assigned import returned_by, values_of
from racehound.source.closures import scope_of
from racehound.source.events import EACH, ITEM, LOOPED, SELF, Action, Bind, Call, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

if TYPE_CHECKING:
    from racehound.analysis.meaning.kinds import Kinds

Classes: TypeAlias = frozenset[ClassFacts]
_Key: TypeAlias = tuple[ClassFacts | FunctionFacts, str]
_Put: TypeAlias = dict[str, list[tuple[FunctionFacts, Value]]]
TAKEN = LOOPED | {ITEM}
"""Names of values that are items of containers."""
_NOTHING: Classes = frozenset()
_NEVER: dict[str, tuple[Value, ...]] = {}
_RESULT = "()"
"""In the place of a name."""
_PUTTERS = {"append": 0, "appendleft": 0, "add": 0, "insert": 1, "setdefault": 1}
"""Methods that put something into a container, and which argument that is."""
COPIES = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "deque", "dict"})
_VIEWS = frozenset({"values", "copy"})
_MAPPINGS = frozenset(
    {
        *("dict", "Dict", "typing.Dict", "MutableMapping", "typing.MutableMapping", "typing.DefaultDict"),
        *("collections.OrderedDict", "collections.defaultdict", "typing.OrderedDict", "typing.Mapping"),
        *("collections.abc.MutableMapping", "collections.abc.Mapping", "weakref.WeakValueDictionary"),
    }
)
"""A loop over one of these gives keys."""


class Contents:
    """Does not keep the kinds that it is asked by, as `Arguments`."""

    def __init__(self) -> None:
        self._known: dict[_Key, Classes] = {}
        self._put: dict[ClassFacts | FunctionFacts, _Put] = {}

        self._looped: dict[FunctionFacts, dict[str, tuple[Value, ...]]] = {}

    def forget(self) -> None:
        self._known.clear()

    def looped(self, scope: FunctionFacts, name: str) -> tuple[Value, ...]:
        """What loops bind to a name, as far as they take it from a container."""
        if scope not in self._looped:
            binds = [event for event in scope.events if type(event) is Bind] if Bind in scope.holds else []
            taken = {bind.name: bind.values for bind in binds if bind.values and bind.is_of_loop}
            self._looped[scope] = taken or _NEVER
        return self._looped[scope].get(name, ())

    def taken(self, kinds: "Kinds", function: FunctionFacts, value: Value) -> Classes:
        """What an item may be that is taken from a container: `workers[0]`, each one of a loop."""
        place = value.arguments[0].place if value.name in TAKEN and value.arguments else None
        if place is None or (value.name == EACH and not kinds.place(function, place).isdisjoint(_MAPPINGS)):
            return _NOTHING
        return self.of(kinds, function, place)

    def of(self, kinds: "Kinds", function: FunctionFacts, place: Place) -> Classes:
        root, attributes = place
        if not attributes:
            scope = scope_of(function, root)
            if scope is None and root in function.module.imports:
                return self._imported(kinds, function, place)
            return _NOTHING if root == SELF else self._variable(kinds, scope or function.module.functions[0], root)
        if root in function.module.imports and scope_of(function, root) is None:
            return self._imported(kinds, function, place)
        holders = kinds.place(function, Place(root, attributes[:-1]))
        found = [self._field(kinds, item, attributes[-1]) for item in holders if isinstance(item, ClassFacts)]
        return _NOTHING.union(*found)

    def _imported(self, kinds: "Kinds", function: FunctionFacts, place: Place) -> Classes:
        found = kinds.variable(function.module, place)
        if found is None or found.attributes:
            return _NOTHING
        return self._variable(kinds, found.module.functions[0], found.name)

    def _field(self, kinds: "Kinds", owner: ClassFacts, name: str) -> Classes:
        key = (owner, name)
        if key not in self._known:
            self._known[key] = _NOTHING
            with kinds.finding_out():
                values = [item for entry in kinds.field_values(owner, name) for item in self.within(kinds, *entry)]
                put = [
                    entry for base in kinds.hierarchy.linear(owner) for entry in self._put_by(kinds, base, name)
                ]
                self._known[key] = _NOTHING.union(values, _objects(kinds, put))
        return self._known[key]

    def _variable(self, kinds: "Kinds", scope: FunctionFacts, name: str) -> Classes:
        key = (scope, name)
        if key not in self._known:
            self._known[key] = _NOTHING
            with kinds.finding_out():
                values = [item for value in values_of(scope, name) for item in self.within(kinds, scope, value)]
                put = self._put_by(kinds, scope, name)
                self._known[key] = _NOTHING.union(values, _objects(kinds, put))
        return self._known[key]

    def within(self, kinds: "Kinds", function: FunctionFacts, value: Value) -> Iterable[ClassFacts]:
        """What is in a container as it is written down."""
        if value.shape is Shape.CONTAINER or value.shape is Shape.ANNOTATION:
            return _objects(kinds, ((function, item) for item in value.arguments))
        if value.shape is Shape.PLACE and value.place is not None:
            return self.of(kinds, function, value.place)
        return self._in_result(kinds, function, value) if value.shape is Shape.CALL else ()

    def _in_result(self, kinds: "Kinds", function: FunctionFacts, call: Value) -> Iterable[ClassFacts]:
        place, arguments = call.place, call.arguments
        if place is None:
            return ()
        if call.name == "defaultdict" and arguments:
            return _objects(kinds, [(function, Value(Shape.CALL, place=arguments[0].place))])
        if call.name in COPIES and not place.attributes:
            return self.within(kinds, function, arguments[0]) if arguments else ()
        original = copied(call)
        if original is not None:
            return self.of(kinds, function, original)
        made_by = kinds.callee(function, place)
        return self._returned(kinds, made_by) if isinstance(made_by, FunctionFacts) else ()

    def _returned(self, kinds: "Kinds", function: FunctionFacts) -> Classes:
        """What is in the container that a function returns, which may be made of what it returns itself."""
        key = (function, _RESULT)
        if key not in self._known:
            self._known[key] = _NOTHING
            with kinds.finding_out():
                values = function.returns or tuple(returned_by(function))
                self._known[key] = _NOTHING.union(*(self.within(kinds, function, value) for value in values))
        return self._known[key]

    def _put_by(
        self, kinds: "Kinds", home: ClassFacts | FunctionFacts, name: str
    ) -> list[tuple[FunctionFacts, Value]]:
        """What the functions of a class put into a field, those of a module into a variable."""
        if home not in self._put:
            self._put[home] = {}
            for function in _functions(kinds, home):
                for held, value in _put(function, SELF if isinstance(home, ClassFacts) else None):
                    self._put[home].setdefault(held, []).append((function, value))
        return self._put[home].get(name, [])


def copied(value: Value) -> Place | None:
    """The container behind `list(self.workers)` and `self.workers.copy()`, which hold the same items."""
    if value.shape is not Shape.CALL or value.place is None:
        return None
    if value.name in _VIEWS and value.place.attributes:
        return Place(value.place.root, value.place.attributes[:-1])
    is_copy = value.name in COPIES and not value.place.attributes and bool(value.arguments)
    return value.arguments[0].place if is_copy and value.arguments[0].shape is Shape.PLACE else None


def _objects(kinds: "Kinds", entries: Iterable[tuple[FunctionFacts, Value]]) -> list[ClassFacts]:
    return [
        kind
        for function, value in entries
        for kind in kinds.value(function, value)
        if isinstance(kind, ClassFacts)
    ]


def _functions(kinds: "Kinds", home: ClassFacts | FunctionFacts) -> Iterable[FunctionFacts]:
    if isinstance(home, ClassFacts):
        return kinds.hierarchy.functions(home)
    return home.module.functions if home.is_module_body else (home,)


def _put(function: FunctionFacts, root: str | None) -> Iterator[tuple[str, Value]]:
    """By `self.workers.append(worker)` and `self.workers[name] = worker`, or the same of plain names."""
    for event in function.events if Call in function.holds or Action.WRITE_ITEM in function.holds else ():
        if type(event) is Call:
            if event.method in _PUTTERS and event.callee is not None:
                held = _held(Place(event.callee.root, event.callee.attributes[:-1]), root)
                yield from _named(held, event.arguments[_PUTTERS[event.method] :][:1])
        elif type(event) is Touch and event.action is Action.WRITE_ITEM and "][" not in (event.key or ""):
            yield from _named(_held(event.place, root), event.values)


def _named(held: str, values: Iterable[Value]) -> Iterator[tuple[str, Value]]:
    """Those that may be objects of the program."""
    if held:
        yield from ((held, value) for value in values if value.shape is Shape.CALL or value.shape is Shape.PLACE)


def _held(place: Place, root: str | None) -> str:
    """The field, or the variable where there is no `root`, that a container is kept in."""
    if root is None:
        return "" if place.attributes or place.root == SELF else place.root
    return place.attributes[0] if place.root == root and len(place.attributes) == 1 else ""
