"""Which places are locks, and which lock a place is.

A lock is known by where it was made: the class and attribute, the module and variable, or the function and local
name. Where the making cannot be seen (a lock passed in), the name decides: taking too much for a lock makes the
hunt quieter, never louder.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import NONE, Kind, Kinds
from racehound.source.events import CHANGES, ITEM, SELF, Acquire, Action, Place, Release, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_CLASSES = ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore")
_NAMES = (*_CLASSES, "allocate_lock", "_RLock", "_allocate_lock")
_THREAD_MODULES = ("threading", "_thread", "dummy_threading")
_OTHER_MODULES = ("asyncio", "multiprocessing", "multiprocessing.synchronize", "anyio", "trio", "gevent.lock")
THREAD_LOCKS = frozenset(f"{module}.{name}" for module in _THREAD_MODULES for name in _NAMES)
LOCKS = THREAD_LOCKS | frozenset(f"{module}.{name}" for module in _OTHER_MODULES for name in _NAMES)
_SOUNDS_LIKE_LOCK = re.compile(
    r"lock|mutex|semaphore|cond(ition)?$|(^|_)(cv|guard|monitor|not_empty|not_full)(_|$)", re.IGNORECASE
)


_GIVEN = re.compile(r"_*(\w*_)?(r?lock|mutex)", re.IGNORECASE)


class LockId(NamedTuple):
    owner: str
    """`path::Class`, `path`, or `path::function` for a local."""
    name: str

    def __str__(self) -> str:
        return self.name


class Locks:
    def __init__(self, kinds: Kinds, hierarchy: Hierarchy) -> None:
        self._kinds = kinds
        self._hierarchy = hierarchy
        self._threaded: dict[ModuleFacts, bool] = {}
        self._looked_into: set[tuple[ClassFacts, str]] = set()
        self._owned: dict[ClassFacts, tuple[str, ...]] = {}

    def owned(self, owner: ClassFacts) -> tuple[str, ...]:
        """Attributes that hold a lock between threads, made by the class or by a base."""
        if not self._kinds.is_sure:
            return self._find_owned(owner)
        if owner not in self._owned:
            self._owned[owner] = self._find_owned(owner)
        return self._owned[owner]

    def _find_owned(self, owner: ClassFacts) -> tuple[str, ...]:
        line = self._hierarchy.linear(owner)
        bases = [item for item in line if self._knows_threads(item.module)]
        names = {name: None for item in bases for name in self._candidates(item)}
        found = {name: None for name in names if self._is_threaded(owner, name)}
        handed = (name for item in line for name in self._candidates(item) if self._is_handed(owner, name))
        return tuple(found | dict.fromkeys(handed))

    def _is_handed(self, owner: ClassFacts, name: str) -> bool:
        """True for a lock that the constructor is given, and that plain methods enter."""
        if not _GIVEN.fullmatch(name) or self._kinds.field(owner, name) - {NONE}:
            return False
        given = [value.place for where, value in self._kinds.field_values(owner, name) if where.name == "__init__"]
        if not any(place is not None and not place.attributes and _GIVEN.fullmatch(place.root) for place in given):
            return False
        return self._is_entered(owner, name) and not self._is_entered_by_tasks(owner, name)

    def _is_threaded(self, owner: ClassFacts, name: str) -> bool:
        kinds = self._kinds.field(owner, name)
        if kinds & THREAD_LOCKS:
            return True
        if "lock" not in name.lower():
            return False
        if not kinds & LOCKS and self._is_made_as_lock(owner, name):
            return not self._is_entered_by_tasks(owner, name)
        return any(
            self._kinds.value(function, value) & THREAD_LOCKS for function, value in self._items(owner, name)
        )

    def _is_made_as_lock(self, owner: ClassFacts, name: str) -> bool:
        """True for `self._lock = forksafe.Lock()`, whatever the project makes there."""
        return "lock" in name.lower() and any(
            value.shape is Shape.CALL and value.name in _MAKERS
            for _, value in self._kinds.field_values(owner, name)
        )

    def guards_own_state(self, owner: ClassFacts) -> bool:
        """True if a method changes its object between the entry and the exit of a lock of the module."""
        return any(map(self._changes_under_lock, owner.methods.values()))

    def _changes_under_lock(self, function: FunctionFacts) -> bool:
        held = 0
        for event in function.events if Acquire in function.holds else ():
            if isinstance(event, Acquire | Release) and self._is_of_module(function, event.value.place):
                held += 1 if isinstance(event, Acquire) else -1
            elif held and isinstance(event, Touch) and event.action in CHANGES and event.place.root == SELF:
                return True
        return False

    def _is_of_module(self, function: FunctionFacts, place: Place | None) -> bool:
        if place is None or place.attributes or place.root == SELF:
            return False
        is_local = place.root in function.bound or place.root in function.parameters
        return not is_local and bool(self._kinds.place(function, place) & THREAD_LOCKS)

    def _is_entered_by_tasks(self, owner: ClassFacts, name: str) -> bool:
        return any(event.is_async for event in self._entries(owner, name))

    def _is_entered(self, owner: ClassFacts, name: str) -> bool:
        return any(self._entries(owner, name))

    def _entries(self, owner: ClassFacts, name: str) -> Iterator[Acquire]:
        place = Place(SELF, (name,))
        for item in self._hierarchy.linear(owner):
            for function in item.methods.values():
                for event in function.events if Acquire in function.holds else ():
                    if isinstance(event, Acquire) and event.value.place == place:
                        yield event

    def _items(self, owner: ClassFacts, name: str) -> Iterator[tuple[FunctionFacts, Value]]:
        """What a table of locks is filled with: by `defaultdict(Lock)`, or entry by entry."""
        for function, value in self._kinds.field_values(owner, name):
            if value.shape is Shape.CALL and value.name == "defaultdict" and value.arguments:
                yield function, Value(Shape.CALL, place=value.arguments[0].place)
        for base in self._hierarchy.linear(owner):
            for function in base.methods.values():
                for event in function.events if Action.WRITE_ITEM in function.holds else ():
                    if isinstance(event, Touch) and event.action is Action.WRITE_ITEM:
                        named = event.place == Place(SELF, (name,))
                        yield from ((function, value) for value in event.values if named)

    def _knows_threads(self, module: ModuleFacts) -> bool:
        """A lock between threads is made where the module of threads is imported."""
        if module not in self._threaded:
            names = module.imports.values()
            self._threaded[module] = any(
                name.partition(".")[0] in _THREAD_MODULES for name in names
            ) or not _MAKERS.isdisjoint(module.callers)
        return self._threaded[module]

    def _candidates(self, item: ClassFacts) -> dict[str, None]:
        return dict.fromkeys((*item.attributes, *self._kinds.written_names(item)))

    def identify(self, function: FunctionFacts, place: Place) -> LockId | None:
        """The lock that a place is, or None where it is none; the locks of one table count as one."""
        if place.attributes[-1:] == (ITEM,):
            table = self.identify(function, Place(place.root, place.attributes[:-1]))
            return None if table is None else LockId(table.owner, f"{table.name}{ITEM}")
        if place.root == SELF and function.owner is not None:
            return self._attribute(function, function.owner, place)
        return self._variable(function, place)

    def _attribute(self, function: FunctionFacts, owner: ClassFacts, place: Place) -> LockId | None:
        if not place.attributes:
            return None
        name = place.attributes[-1]
        holders = [owner]
        if len(place.attributes) > 1:
            holders = self._kinds.holders(function, Place(SELF, place.attributes[:-1]))
        for holder in holders:
            return self.field(holder, name)
        return LockId(str(owner), str(place)) if _SOUNDS_LIKE_LOCK.search(name) else None

    def field(self, holder: ClassFacts, name: str) -> LockId | None:
        if not self._is_lock(self._kinds.field(holder, name), name) and not self._is_made_as_lock(holder, name):
            return None
        for function, value in self._kinds.field_values(holder, name):
            wrapped = _wrapped(value)
            if wrapped is not None:
                return self._inner(function, wrapped, (holder, name)) or LockId(str(holder), name)
        declaring = [item for item in self._hierarchy.linear(holder) if self._kinds.declares(item, name)]
        return LockId(str(declaring[-1] if declaring else holder), name)

    def _inner(self, function: FunctionFacts, place: Place, around: tuple[ClassFacts, str]) -> LockId | None:
        """The lock that another one was built on; `self.lock = wrap(self.lock)` is built on none."""
        if around in self._looked_into:
            return None
        self._looked_into.add(around)
        found = self.identify(function, _as_kept(function, place))
        self._looked_into.discard(around)
        return found

    def wrapped(self, function: FunctionFacts, place: Place) -> Place | None:
        """The lock that the Condition at this place was built on, where it is a place of the same object."""
        found = [
            inner for _, value in self._given(function, place) if (inner := _wrapped(value)) not in {None, place}
        ]
        return found[0] if found else None

    def made_within(self, function: FunctionFacts, place: Place) -> frozenset[object]:
        """What the lock is that was made for the Condition at this place: `Condition(Lock())`."""
        found = [
            self._kinds.value(where, value.arguments[0])
            for where, value in self._given(function, place)
            if value.shape is Shape.CALL and value.arguments
        ]
        return frozenset(kind for kinds in found for kind in kinds & THREAD_LOCKS)

    def _given(self, function: FunctionFacts, place: Place) -> list[tuple[FunctionFacts, Value]]:
        if place.root == SELF and function.owner is not None and len(place.attributes) == 1:
            return list(self._kinds.field_values(function.owner, place.attributes[0]))
        body = function.module.functions[0]
        return [(body, value) for value in function.module.variables.get(place.root, ())]

    def _variable(self, function: FunctionFacts, place: Place) -> LockId | None:
        name = place.attributes[-1] if place.attributes else place.root
        if not self._is_lock(self._kinds.place(function, place), name):
            return None
        scope: FunctionFacts | None = function
        while scope is not None and not scope.is_module_body:
            if place.root in scope.bound or place.root in scope.parameters:
                return self._renamed(scope, place) or LockId(str(scope), str(place))
            scope = scope.parent
        return self._of_module(function, place)

    def _renamed(self, scope: FunctionFacts, place: Place) -> LockId | None:
        """The lock behind `guard = registry_lock`, where the local name stands for nothing else."""
        values = scope.bindings.get(place.root, ()) if not place.attributes else ()
        given = values[0].place if len(values) == 1 and values[0].shape is Shape.PLACE else None
        is_local = given is None or given.root in scope.bound or given.root in scope.parameters
        return None if is_local or given is None else self.identify(scope, given)

    def _of_module(self, function: FunctionFacts, place: Place) -> LockId:
        """A lock of a module, or of an object that a module keeps, whoever names it."""
        found = self._kinds.variable(function.module, place)
        module, root, attributes = found or (function.module, *place)
        if attributes:
            for holder in self._kinds.owners(module, Place(root, attributes[:-1])):
                known = self.field(holder, attributes[-1])
                if known is not None:
                    return known
        if found is None and place.root in module.imports:
            return LockId(module.imports[place.root], str(place))
        return LockId(module.path, str(Place(root, attributes)))

    def _is_lock(self, kinds: frozenset[Kind], name: str) -> bool:
        if any(_is_lock_kind(kind) for kind in kinds):
            return True
        return bool(_SOUNDS_LIKE_LOCK.search(name)) and not self._is_something_else(kinds - {NONE})

    def _is_something_else(self, kinds: frozenset[Kind]) -> bool:
        """True for objects of the program that cannot be entered: a `monitor` that is a thread."""
        return bool(kinds) and all(
            isinstance(kind, ClassFacts)
            and not any(self._hierarchy.method(kind, name) for name in ("__enter__", "__aenter__", "acquire"))
            for kind in kinds
        )


_MAKERS = frozenset({"Lock", "RLock", "Condition", "create_lock", "_create_lock", "make_lock", "ThreadLock"})
"""Names by which projects make locks of their own: one that survives a fork, one for each kind of worker."""


def _is_lock_kind(kind: Kind) -> bool:
    if isinstance(kind, ClassFacts):
        return {"acquire", "release"} <= set(kind.methods)
    return kind in LOCKS


def _wrapped(value: Value) -> Place | None:
    """The lock that a Condition was built on."""
    if value.shape is not Shape.CALL or value.name == "defaultdict":
        return None
    given = (*value.arguments[:1], *(item for word, item in value.keywords if word == "lock"))
    return next((item.place for item in given if item.shape is Shape.PLACE), None)


def _as_kept(function: FunctionFacts, place: Place) -> Place:
    """`self._memory.lock` for `memory.lock`, where the function keeps what it was given as `self._memory`."""
    if place.root not in function.parameters:
        return place
    for event in function.events:
        kept = isinstance(event, Touch) and event.action is Action.WRITE and event.place.root == SELF
        if isinstance(event, Touch) and kept and event.values == (Value(Shape.PLACE, place=Place(place.root)),):
            return Place(SELF, (*event.place.attributes, *place.attributes))
    return place
