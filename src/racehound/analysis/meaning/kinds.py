"""What values are: classes of the program, outside types by dotted name, built-in containers."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TypeAlias

from racehound.analysis.meaning.applications import Applications
from racehound.analysis.meaning.arguments import Arguments, looped_parameter
from racehound.analysis.meaning.assigned import (
    Assigned,
    assigned_globally,
    attribute_writes,
    returned_by,
    values_of,
)
from racehound.analysis.meaning.callees import called, is_of_class
from racehound.analysis.meaning.contents import TAKEN, Contents
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.linked import Linked
from racehound.analysis.meaning.makers import Makers
from racehound.analysis.meaning.names import Names, Variable
from racehound.analysis.meaning.own_server import SERVER, OwnServer
from racehound.analysis.meaning.tables import entries, table_of
from racehound.source.closures import scope_of
from racehound.source.events import ITEM, SELF, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

Kind: TypeAlias = ClassFacts | str
NONE = "None"

CONTAINERS = frozenset(
    {
        *("dict", "list", "set", "bytearray", "Dict", "List", "Set", "MutableMapping", "MutableSequence"),
        *("collections.OrderedDict", "collections.defaultdict", "collections.Counter", "collections.ChainMap"),
        *("typing.Dict", "typing.List", "typing.Set", "typing.DefaultDict", "typing.MutableMapping"),
        *("weakref.WeakSet", "weakref.WeakKeyDictionary", "weakref.WeakValueDictionary", "typing.OrderedDict"),
        *("collections.abc.MutableMapping", "collections.abc.MutableSequence", "collections.abc.MutableSet"),
        *("collections.deque", "typing.Deque", "deque"),
    }
)
DEQUES = frozenset({"collections.deque", "typing.Deque", "deque"})
"""Made for threads: each step is whole, a look and a step that counts on it are not."""
THREADS = frozenset({"threading.Thread", "threading.Timer"})
THREAD_CLASSES = frozenset(
    {"threading.Thread", *(f"{name}.QtCore.QThread" for name in ("PyQt5", "PyQt6", "PySide2", "PySide6"))}
)
"""Classes whose objects are threads: `start` has their method `run` called in one."""
SELF_CONTAINED = frozenset(
    {
        *("queue.Queue", "queue.SimpleQueue", "queue.LifoQueue", "queue.PriorityQueue", "multiprocessing.Queue"),
        "asyncio.Queue",
        *("threading.Event", "threading.local", "threading.Barrier", "threading.Thread", "threading.Timer"),
        *("_thread._local", "contextvars.ContextVar", "asyncio.Event", "itertools.count", "logging.getLogger"),
        *("concurrent.futures.Future", "concurrent.futures.ThreadPoolExecutor", "weakref.ref", "logging.Logger"),
        *("concurrent.futures.ProcessPoolExecutor", "multiprocessing.Value", "multiprocessing.Event"),
    }
)
"""Types whose single operations are atomic, or that are confined to a thread or a task by nature."""

_NOTHING: frozenset[Kind] = frozenset()
_MADE_BY_METHOD: dict[str, frozenset[Kind]] = {"create_future": frozenset({"asyncio.Future"})}
"""What a method of this name makes, whatever object it is called on."""
_PROPERTIES = frozenset({"property", "cached_property"})
_Work: TypeAlias = Mapping[tuple[FunctionFacts, str], list[tuple[FunctionFacts, Value]]]
"""By function and parameter: what the starters of threads give for it."""


class Kinds:
    """Follows values through variables, attributes and calls; a circle of them adds nothing."""

    def __init__(self, names: Names, hierarchy: Hierarchy) -> None:
        self.names = names
        self.hierarchy = hierarchy
        self._fields: dict[tuple[ClassFacts, str], frozenset[Kind]] = {}
        self._variables: dict[tuple[FunctionFacts, str], frozenset[Kind]] = {}
        self._assigned: dict[ClassFacts, Assigned] = {}
        self._globals: dict[ModuleFacts, Assigned] = {}
        self._owners_of: dict[ModuleFacts, dict[str, ClassFacts | None]] = {}
        self._callees: dict[tuple[FunctionFacts, Place], ClassFacts | FunctionFacts | str | None] = {}
        self._results: dict[FunctionFacts, frozenset[Kind]] = {}
        self._given: dict[tuple[ClassFacts, str], frozenset[Kind]] = {}
        self._work: _Work = {}
        self._arguments: dict[tuple[FunctionFacts, str], frozenset[ClassFacts]] = {}
        self._calls_with = Arguments(hierarchy.modules)
        self._made_with = Makers(hierarchy)
        self._own_server = OwnServer(hierarchy)
        self.contents = Contents()
        self._applications = Applications(hierarchy.modules)
        self._linked = Linked(hierarchy.modules)
        self._asks_callers = False
        self._open = 0
        """Questions under way: what is found out meanwhile may lack what they will add."""
        self.is_settled = False
        """Nobody asks any more which files were missed on the way to an answer."""

    @property
    def is_sure(self) -> bool:
        """True if what is answered now is answered for good."""
        return self.is_settled and not self._open

    def learn(self, work: _Work) -> None:
        """From now on, a parameter without annotation is what the starters of threads give for it."""
        self._work = work
        for known in (self._fields, self._variables, self._results, self._given, self._arguments):
            known.clear()
        self.contents.forget()

    @contextmanager
    def finding_out(self) -> Iterator[None]:
        """Meanwhile, no answer is for good."""
        self._open += 1
        yield
        self._open -= 1

    def ask_callers(self, *, asks: bool) -> None:
        """Whether a parameter without annotation is what callers give for it.

        Not while it is worked out which files matter: for a guess of what a parameter is, none is read.
        """
        self._asks_callers = asks
        self._given.clear()

    def only_one_with(self, module: ModuleFacts, method: str) -> ClassFacts | None:
        """The class of a module that has such a method, if there is one alone."""
        if module not in self._owners_of:
            known: dict[str, ClassFacts | None] = {}
            for item in module.classes:
                known.update((name, None if name in known else item) for name in item.methods)
            self._owners_of[module] = known
        return self._owners_of[module].get(method)

    def field(self, owner: ClassFacts, name: str) -> frozenset[Kind]:
        """What an attribute of instances may hold, by all that is assigned to it along the bases."""
        key = (owner, name)
        if key not in self._fields:
            base = self._only_base(owner) if not self._open and not self.declares(owner, name) else None
            if base is not None and (base, name) in self._fields:
                return self._fields.setdefault(key, self._fields[base, name])
            self._fields[key] = frozenset()
            self._open += 1
            found = [self.value(function, value) for function, value in self.field_values(owner, name)]
            self._fields[key] = _union(found)
            self._open -= 1
        return self._fields[key]

    def _only_base(self, owner: ClassFacts) -> ClassFacts | None:
        linear = self.hierarchy.linear(owner)
        return linear[1] if len(owner.bases) == 1 and len(linear) > 1 else None

    def field_values(self, owner: ClassFacts, name: str) -> list[tuple[FunctionFacts, Value]]:
        found: list[tuple[FunctionFacts, Value]] = []
        for item in self.hierarchy.linear(owner):
            if name in item.attributes:
                body = item.module.functions[0]
                found.extend((body, value) for value in item.attributes[name])
            written = self._written(item)
            if name in written:
                found.extend(written[name])
        if name == SERVER and not found:
            found.extend(self._own_server.values(self, owner))
        if found and all(value.name == NONE for _, value in found):
            found.extend(self._linked.values(self, owner, name))
        return found

    def _written(self, owner: ClassFacts) -> Assigned:
        if owner not in self._assigned:
            written: Assigned = {}
            for function in self.hierarchy.functions(owner):
                for touch in attribute_writes(function):
                    values = ((function, value) for value in touch.values)
                    written.setdefault(touch.place.attributes[0], []).extend(values)
            self._assigned[owner] = written
        return self._assigned[owner]

    def is_container(self, kinds: frozenset[Kind]) -> bool:
        """True for a built-in container, and for a class of the program that derives from one."""
        classes = (kind for kind in kinds if isinstance(kind, ClassFacts))
        return bool(kinds & CONTAINERS) or any(self.hierarchy.outside_bases(item) & CONTAINERS for item in classes)

    def written_names(self, owner: ClassFacts) -> Iterable[str]:
        """Attributes that the functions of this class itself assign."""
        return self._written(owner)

    def declares(self, owner: ClassFacts, name: str) -> bool:
        """True if this class itself, not a base, gives the attribute a value."""
        return name in owner.attributes or name in self._written(owner)

    def value(self, function: FunctionFacts, value: Value) -> frozenset[Kind]:
        shape = value.shape  # by identity: a `match` takes several times as long
        if shape is Shape.CALL:
            return self._result(function, value)
        if shape is Shape.PLACE and value.place is not None:
            return self._reached(function, *value.place)
        if shape is Shape.CONSTANT:
            return _only(value.name if value.name in {"None", "True", "False"} else "constant")
        if shape is Shape.CONTAINER:
            return _only(value.name)
        if shape is Shape.ANNOTATION and value.place is not None:
            return _class(self.names.resolve(function.module, value.place))
        if value.name in TAKEN:
            return self._entries(function, value) or _NOTHING.union(self.contents.taken(self, function, value))
        return _NOTHING

    def _entries(self, function: FunctionFacts, value: Value) -> frozenset[Kind]:
        """What may be found in a table that is written out."""
        table = table_of(value)
        return (
            _NOTHING if table is None else _union([self.value(*item) for item in entries(self, function, table)])
        )

    def _got(self, function: FunctionFacts, value: Value) -> frozenset[Kind]:
        """What `table.get(key)` may give."""
        table = table_of(value)
        return _NOTHING if table is None else _NOTHING.union(self.contents.of(self, function, table))

    def _result(self, function: FunctionFacts, value: Value) -> frozenset[Kind]:
        for word, factory in value.keywords:
            if word in {"default_factory", "factory"}:
                return self._result(function, Value(Shape.CALL, place=factory.place))
        definition = self.callee(function, value.place) if value.place is not None else None
        if definition is None:
            return _MADE_BY_METHOD.get(value.name) or self._entries(function, value) or self._got(function, value)
        if isinstance(definition, FunctionFacts):
            return self._of_caller(function, value.place, definition)
        return _class(definition)

    def _of_caller(self, function: FunctionFacts, place: Place | None, method: FunctionFacts) -> frozenset[Kind]:
        """What a method gives; `Child.get()` gives a `Child`, where the base that has the method says `cls()`."""
        kinds = self._returned(method)
        if method.owner not in kinds or place is None or not place.attributes or not is_of_class(method):
            return kinds
        asked = self.names.resolve(function.module, Place(place.root, place.attributes[:-1]))
        return (kinds - {method.owner}) | {asked} if isinstance(asked, ClassFacts) else kinds

    def _returned(self, function: FunctionFacts) -> frozenset[Kind]:
        """What a call gives: as it is annotated, or else what the function is seen to return."""
        if function not in self._results:
            self._results[function] = frozenset()
            self._open += 1
            values = function.returns or tuple(returned_by(function))
            self._results[function] = _union([self.value(function, value) for value in values])
            self._open -= 1
        return self._results[function]

    def callee(self, function: FunctionFacts, place: Place) -> ClassFacts | FunctionFacts | str | None:
        """The class or function that a call of `place` runs, where only one is possible."""
        if not self.is_sure:
            return called(self, function, place)
        key = (function, place)
        if key not in self._callees:
            self._callees[key] = called(self, function, place)
        return self._callees[key]

    def holders(self, function: FunctionFacts, place: Place) -> list[ClassFacts]:
        """Classes of the program that an object may be of, also where only its constructor or a caller gave it."""
        known = [kind for kind in self.place(function, place) if isinstance(kind, ClassFacts)]
        if known:
            return known
        if place.root == SELF:
            return [kind for kind in self.handed(function, *place) if isinstance(kind, ClassFacts)]
        if not self._asks_callers:
            return []
        if place.root in function.bound:
            return [kind for kind in self._each_passed_on(function, *place) if isinstance(kind, ClassFacts)]
        return [kind for kind in self._passed_on(function, *place) if isinstance(kind, ClassFacts)]

    def property_of(self, kind: Kind, name: str) -> FunctionFacts | None:
        """The function behind an attribute that is computed when it is read."""
        method = self.hierarchy.method(kind, name) if isinstance(kind, ClassFacts) else None
        is_property = method is not None and any(
            (place.attributes or (place.root,))[-1] in _PROPERTIES for place in method.decorators
        )
        return method if is_property else None

    def place(self, function: FunctionFacts, place: Place) -> frozenset[Kind]:
        return self._reached(function, *place)

    def _reached(self, function: FunctionFacts, root: str, attributes: tuple[str, ...]) -> frozenset[Kind]:
        if root == SELF:
            kinds = _class(function.owner)
        elif root in function.module.imports and scope_of(function, root) is None:
            kinds, attributes = self._imported(function.module, Place(root, attributes))
        else:
            kinds = self._variable(function, root)
        if not kinds and attributes and root != SELF and scope_of(function, root) is None:
            kinds, attributes = self._of_class(function, root, attributes)
        if attributes and root != SELF and not any(type(kind) is ClassFacts for kind in kinds):
            kinds, attributes = self._applications.looked_up(self, Place(root, attributes)) or (kinds, attributes)
        for at, attribute in enumerate(attributes if kinds else ()):
            kinds = _union([self.field(kind, attribute) for kind in kinds if type(kind) is ClassFacts])
            if not kinds and at == 1 and attributes[0] == SERVER and root == SELF and function.owner is not None:
                kinds = self._put_on_server(function.owner, attribute)
        return kinds

    def _put_on_server(self, owner: ClassFacts, name: str) -> frozenset[Kind]:
        return _union([self.value(*item) for item in self._own_server.put(self, owner, name)])

    def owners(self, module: ModuleFacts, place: Place) -> list[ClassFacts]:
        """Classes that a place at module level is, or is an object of."""
        named = self.names.resolve(module, place)
        if isinstance(named, ClassFacts):
            return [named]
        return [kind for kind in self.place(module.functions[0], place) if isinstance(kind, ClassFacts)]

    def variable(self, module: ModuleFacts, place: Place) -> Variable | None:
        """The variable of another module that a place begins with."""
        return self.names.variable(module, place)

    def _of_class(
        self, function: FunctionFacts, root: str, attributes: tuple[str, ...]
    ) -> tuple[frozenset[Kind], tuple[str, ...]]:
        """What `Service.client` may hold, where `Service` is a class."""
        owner = self.names.resolve(function.module, Place(root))
        if not isinstance(owner, ClassFacts):
            return _NOTHING, ()
        return self.field(owner, attributes[0]), attributes[1:]

    def _imported(self, module: ModuleFacts, place: Place) -> tuple[frozenset[Kind], tuple[str, ...]]:
        """What a variable of another module may hold, and the attributes that are asked of it."""
        found = self.variable(module, place)
        if found is None:
            return _NOTHING, ()
        return self._variable(found.module.functions[0], found.name), found.attributes

    def _variable(self, function: FunctionFacts, name: str) -> frozenset[Kind]:
        scope = scope_of(function, name) or function.module.functions[0]
        key = (scope, name)
        if key not in self._variables:
            self._variables[key] = frozenset()
            self._open += 1
            found = [self.value(scope, value) for value in values_of(scope, name)]
            found += [self.value(*written) for written in self._written_to(scope, name)]
            if not found and name in scope.bound:
                found = [self.value(scope, value) for value in self.contents.looped(scope, name)]
            known = _union(found or [self.value(*given) for given in self._work.get(key, ())])
            self._variables[key] = known if known - {NONE} else known | self._said(scope, name)
            self._open -= 1
        return self._variables[key]

    def _said(self, scope: FunctionFacts, name: str) -> frozenset[Kind]:
        """What the annotation of a local variable says, where its values say nothing."""
        said = scope.annotations.get(name, ()) if name in scope.bound else ()
        return _union([self.value(scope, value) for value in said])

    def _written_to(self, scope: FunctionFacts, name: str) -> list[tuple[FunctionFacts, Value]]:
        """What functions assign to a variable of their module: `global _client`, and then `_client = Client()`."""
        if not scope.is_module_body:
            return []
        if scope.module not in self._globals:
            self._globals[scope.module] = assigned_globally(scope.module)
        return self._globals[scope.module].get(name, [])

    def handed(self, function: FunctionFacts, root: str, attributes: tuple[str, ...]) -> frozenset[Kind]:
        """What an attribute holds that the constructor was given without saying what it is."""
        if root != SELF or function.owner is None or not attributes:
            return _NOTHING
        kinds = self._given_field(function.owner, attributes[0])
        for attribute in attributes[1:]:
            kinds = _union([self.field(kind, attribute) for kind in kinds if type(kind) is ClassFacts])
        return kinds

    def _passed_on(self, function: FunctionFacts, root: str, attributes: tuple[str, ...]) -> frozenset[Kind]:
        """What a parameter without a type holds, or an attribute of it, by the calls of the function."""
        scope = scope_of(function, root)
        if scope is None or root not in scope.parameters or root in scope.annotations:
            return _NOTHING
        return self._below(self._argument(scope, root), attributes)

    def _each_passed_on(self, function: FunctionFacts, root: str, attributes: tuple[str, ...]) -> frozenset[Kind]:
        """What each item of a list holds that callers give for a parameter without a type."""
        name = looped_parameter(function, root)
        if name is None:
            return _NOTHING
        key = (function, f"{name}{ITEM}")
        if key not in self._arguments:
            self._arguments[key] = frozenset()  # a list of what is in a list adds nothing
            self._open += 1
            self._arguments[key] = self._calls_with.items_of(self, function, name)
            self._open -= 1
        return self._below(self._arguments[key], attributes)

    def _below(self, kinds: frozenset[Kind], attributes: tuple[str, ...]) -> frozenset[Kind]:
        for attribute in attributes:
            kinds = _union([self.field(kind, attribute) for kind in kinds if type(kind) is ClassFacts])
        return kinds

    def _argument(self, function: FunctionFacts, name: str) -> frozenset[ClassFacts]:
        key = (function, name)
        if key not in self._arguments:
            self._arguments[key] = frozenset()
            self._open += 1
            self._arguments[key] = self._calls_with.of(self, function, name)
            self._open -= 1
        return self._arguments[key]

    def _given_field(self, owner: ClassFacts, name: str) -> frozenset[Kind]:
        key = (owner, name)
        if key not in self._given:
            self._given[key] = _NOTHING
            self._open += 1
            values = [(start, value.place) for start, value in self.field_values(*key)]
            found = [self._passed(start, given.root) for start, given in values if given is not None]
            self._given[key] = _union(found)
            self._open -= 1
        return self._given[key]

    def _passed(self, start: FunctionFacts, name: str) -> frozenset[Kind]:
        """Objects of the program that are given to a constructor, or to another method, for a parameter."""
        if start.owner is None or name not in start.parameters:
            return _NOTHING
        if start.name == "__init__":
            return _NOTHING.union(self._made_with.give(self, start, name))
        return _NOTHING.union(self._argument(start, name)) if self._asks_callers else _NOTHING


@cache
def _only(name: str) -> frozenset[Kind]:
    return frozenset({name})


def _class(definition: object) -> frozenset[Kind]:
    return frozenset({definition}) if isinstance(definition, (ClassFacts, str)) else _NOTHING


def _union(parts: list[frozenset[Kind]]) -> frozenset[Kind]:
    if len(parts) == 1:
        return parts[0]
    return _NOTHING.union(*parts) if parts else _NOTHING
