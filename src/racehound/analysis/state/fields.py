"""State that threads may share, and every use of it: attributes of a class, variables of a module.

Variables of a function that the functions nested in it share count among those of the module, and so does what all
objects of a class have in common: threads need not share an object to meet there.
"""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.locking.locks import LOCKS, Locks
from racehound.analysis.locking.locksets import Locksets
from racehound.analysis.meaning.kinds import DEQUES, NONE, SELF_CONTAINED, THREADS, Kind, Kinds
from racehound.analysis.state.cells import CLOSURE, Cells, class_in_common, plain_name
from racehound.analysis.state.declared import Declared
from racehound.analysis.state.foreign import Contained, Foreign, Outside
from racehound.analysis.state.ownership import DIAGNOSTICS, STARTING, Ownership
from racehound.analysis.state.properties import behind_properties
from racehound.analysis.threads.per_thread import is_said_per_thread
from racehound.source.closures import scope_of
from racehound.source.events import CHANGES, SELF, Action, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_make = tuple.__new__
_NOWHERE = (-1, -1)


class Use(NamedTuple):
    """One access to a field, with the locks that are certainly held; a named tuple, for there are many."""

    function: FunctionFacts
    index: int  # type: ignore[assignment]  # hides a method of tuples that nobody needs here
    touch: Touch
    locks: int
    changes: bool


class Elsewhere(NamedTuple):
    """State that is used where it does not belong to `self` or to the module."""

    cells: Cells
    foreign: Foreign


class Fields:
    def __init__(
        self,
        kinds: Kinds,
        locks: Locks,
        locksets: Locksets,
        ownership: Ownership,
        declared: Declared,
        elsewhere: Elsewhere,
    ) -> None:
        self._kinds = kinds
        self._hierarchy = kinds.hierarchy
        self._locks = locks
        self._locksets = locksets
        self._ownership = ownership
        self._declared = declared
        self._elsewhere = elsewhere
        self._classes: dict[ClassFacts, dict[str, list[Use]]] = {}
        self._modules: dict[ModuleFacts, dict[str, list[Use]]] = {}
        self._apart: dict[FunctionFacts, tuple[int, int]] = {}
        """Between which events others may be there."""
        self._touched: dict[FunctionFacts, list[tuple[int, Touch]]] = {}
        self._imported: dict[ModuleFacts, list[tuple[str, FunctionFacts, int, Touch]]] | None = None
        self._named: dict[ModuleFacts, dict[str, list[tuple[FunctionFacts, int, Touch]]]] = {}
        self._below: dict[ModuleFacts, list[tuple[FunctionFacts, int, Touch]]] = {}
        """Uses of attributes of what modules keep, by coroutines of others."""
        self._named_by_importers: dict[ClassFacts, list[tuple[FunctionFacts, int, Touch]]] = {}

    def touches(self, function: FunctionFacts) -> list[tuple[int, Touch]]:
        """Derived classes ask for those of inherited functions again."""
        if function not in self._touched:
            self._touched[function] = _touches(function)
        return self._touched[function]

    def of_class(self, owner: ClassFacts) -> dict[str, list[Use]]:
        """Uses of each attribute by the functions that run on an instance, constructors left out."""
        if owner not in self._classes:
            self._classes[owner] = self._class_uses(owner)
        return self._classes[owner]

    def _class_uses(self, owner: ClassFacts) -> dict[str, list[Use]]:
        found: dict[str, list[Use]] = {}
        for function, numbered, name, kinds in self._own(owner):
            self._add(found.setdefault(name, []), function, numbered, name, kinds)
        for function, index, touch in self._by_name(owner):
            name = touch.place.attributes[0]
            if name in owner.attributes:
                self._add(
                    found.setdefault(name, []), function, (index, touch), name, self._kinds.field(owner, name)
                )
        for function, index, touch in self._outside(owner):
            for name in self._names(owner, touch.place):
                kinds = self._kinds.field(owner, name)
                self._add(found.setdefault(name, []), function, (index, touch), name, kinds)
        return {name: state for name, uses in found.items() if (state := self._state(owner, name, uses))}

    def _own(self, owner: ClassFacts) -> Iterator[tuple[FunctionFacts, tuple[int, Touch], str, frozenset[Kind]]]:
        """Uses through `self`, each with the field it is of and what that may hold."""
        named: dict[Place, list[tuple[str, frozenset[Kind]]]] = {}
        behind = behind_properties(self._hierarchy, owner)
        for function in self._hierarchy.effective(owner):
            if Touch not in function.holds or self._ownership.is_owned(function):
                continue
            for index, touch in self.touches(function):
                place = behind.get(touch.place, touch.place) if behind else touch.place
                numbered = (index, touch if place is touch.place else touch._replace(place=place))
                if place.root == SELF and place not in named:
                    named[place] = [(name, self._kinds.field(owner, name)) for name in self._names(owner, place)]
                for name, kinds in named.get(place, ()):
                    yield function, numbered, name, kinds

    def _outside(self, owner: ClassFacts) -> Iterator[Outside]:
        """Uses through another name than `self`; a lock that is held there may be the one of the object."""
        for base in self._hierarchy.linear(owner):
            for use in self._elsewhere.foreign.of(base):
                if not self._locksets.at(use.function, use.at):
                    yield use

    def is_named(self, owner: ClassFacts) -> bool:
        """True if some function uses an attribute through the name of the class."""
        return bool(self._by_name(owner))

    def _by_name(self, owner: ClassFacts) -> list[tuple[FunctionFacts, int, Touch]]:
        """Uses of class attributes as `Service._instance`, by any function of the module or of others."""
        module = owner.module
        if module not in self._named:
            self._named[module] = {}
            tops = {item.qualified_name for item in module.classes}
            for function in module.functions[1:]:
                for index, touch in self.touches(function):
                    root, attributes, *_ = touch.place
                    if root in tops and attributes and root not in function.bound:
                        self._named[module].setdefault(root, []).append((function, index, touch))
        self._by_importers(module)
        return self._named[module].get(owner.qualified_name, []) + self._named_by_importers.get(owner, [])

    def _add(
        self,
        uses: list[Use],
        function: FunctionFacts,
        numbered: tuple[int, Touch],
        name: str,
        kinds: frozenset[Kind],
    ) -> None:
        index, touch = numbered
        if function not in self._apart:
            alone = function.name in DIAGNOSTICS or self._ownership.forks.is_alone(function)
            self._apart[function] = _NOWHERE if alone else self._ownership.window(function)
        begin, end = self._apart[function]
        if begin < 0:
            return
        is_thread = bool(kinds) and not kinds.isdisjoint(THREADS)
        if STARTING.match(function.name) if is_thread else (index < begin or index > end):
            return
        changes = touch.action in CHANGES and name.count(".") + 1 >= len(touch.place.attributes)
        if changes and touch.action is Action.MUTATE:
            changes = self._kinds.is_container(kinds)
        uses.append(_make(Use, (function, index, touch, self._locksets.at(function, index), changes)))

    def of_module(self, module: ModuleFacts) -> dict[str, list[Use]]:
        """Uses of each variable by the functions of its module, the module body left out."""
        if module not in self._modules:
            self._modules[module] = self._module_uses(module)
        return self._modules[module]

    def _module_uses(self, module: ModuleFacts) -> dict[str, list[Use]]:
        found: dict[str, list[Use]] = {}
        body = module.functions[0]
        changed = {name for name in _changed(module) if self._is_variable(body, Place(name))}
        changed = {name for name in changed if not self._declared.is_confined(module, name)}
        for function in module.functions[1:] if changed else ():
            for index, touch in self.touches(function):
                root = touch.place.root
                if root in changed and not touch.place.attributes and scope_of(function, root) is None:
                    kinds = self._kinds.place(body, Place(root))
                    self._add(found.setdefault(root, []), function, (index, touch), root, kinds)
        for name, function, index, touch in self._by_importers(module):
            if self._is_variable(body, Place(name)) and not self._declared.is_confined(module, name):
                kinds = self._kinds.place(body, Place(name))
                self._add(found.setdefault(name, []), function, (index, touch), name, kinds)
        found.update(self._closure_uses(module))
        found.update(self._handed_uses(module))
        found.update(self._common_uses(module))
        found.update(self._function_uses(module))
        found.update(self._object_uses(module))
        return found

    def is_used_by_coroutines(self, module: ModuleFacts) -> bool:
        """True if coroutines of other modules use its variables."""
        uses = self._by_importers(module)
        return module in self._below or any(function.is_async for _, function, _, _ in uses)

    def _by_importers(self, module: ModuleFacts) -> list[tuple[str, FunctionFacts, int, Touch]]:
        """Uses of the variables of a module by the functions of others."""
        if self._imported is None:
            self._imported = {}
            for function in (item for other in self._hierarchy.modules for item in other.functions[1:]):
                for index, touch in self.touches(function):
                    root = touch.place.root
                    if root in function.module.imports and scope_of(function, root) is None:
                        self._note_import(function, index, touch)
        return self._imported.get(module, [])

    def _note_import(self, function: FunctionFacts, index: int, touch: Touch) -> None:
        found = self._kinds.variable(function.module, touch.place)
        if found is None and len(touch.place.attributes) == 1:
            self._note_class(function, index, touch)
        if found is not None and len(found.attributes) == 1 and function.is_async:
            self._below.setdefault(found.module, []).append((function, index, touch))
        if found is not None and not found.attributes and self._imported is not None:
            self._imported.setdefault(found.module, []).append((found.name, function, index, touch))

    def _note_class(self, function: FunctionFacts, index: int, touch: Touch) -> None:
        owner = self._kinds.callee(function, Place(touch.place.root))
        if isinstance(owner, ClassFacts) and owner.module is not function.module:
            self._named_by_importers.setdefault(owner, []).append((function, index, touch))

    def kinds(self, owner: ClassFacts | ModuleFacts, name: str) -> frozenset[Kind]:
        """What a field may hold."""
        if isinstance(owner, ClassFacts):
            return self._kinds.field(owner, name)
        if CLOSURE in name:
            common = class_in_common(name, owner)
            if common is not None:
                return self._kinds.field(common, plain_name(name))
            held = [item.kinds for item in self._elsewhere.foreign.contained(owner) if _handed_name(item) == name]
            if held:
                return held[0]
            function = self.of_module(owner)[name][0].function
            return self._elsewhere.foreign.kinds_of(function, Place(plain_name(name)))
        root, *below = name.split(".")
        return self._kinds.place(owner.functions[0], Place(root, tuple(below)))

    def _closure_uses(self, module: ModuleFacts) -> dict[str, list[Use]]:
        """Uses of the variables of a function by those nested in it, or by the threads it gives them to."""
        found: dict[str, list[Use]] = {}
        for function in filter(self._elsewhere.cells.concern, module.functions[1:]):
            for index, touch in self.touches(function):
                root, attributes, *_ = touch.place
                scope = scope_of(function, root) if not attributes else None
                if scope is not None and self._elsewhere.cells.are_shared(scope, function, root):
                    name = f"{root}{CLOSURE}{scope.qualified_name}"
                    kinds = self._elsewhere.foreign.kinds_of(function, touch.place)
                    self._add(found.setdefault(name, []), function, (index, touch), name, kinds)
        return {name: uses for name, uses in found.items() if any(use.changes for use in uses)}

    def _function_uses(self, module: ModuleFacts) -> dict[str, list[Use]]:
        """Uses of what functions keep on themselves: `fetch.calls += 1`, in `fetch` or in the one nested there."""
        found: dict[str, list[Use]] = {}
        for function in filter(_keeps_something, module.functions[1:]):
            scope = function.parent or module.functions[0]
            nested = not scope.is_module_body
            if nested and not self._elsewhere.cells.are_shared(scope, function, function.name):
                continue
            behind = f"{CLOSURE}{scope.qualified_name}" if nested else ""
            for index, touch in self.touches(function):
                if touch.place.root == function.name and len(touch.place.attributes) == 1:
                    name = f"{touch.place}{behind}"
                    self._add(found.setdefault(name, []), function, (index, touch), name, frozenset())
        return found

    def _object_uses(self, module: ModuleFacts) -> dict[str, list[Use]]:
        """Uses, by coroutines, of attributes of the objects that a module keeps: `budget.left`.

        Threads come to them by way of the class; tasks have only the name in common.
        """
        found: dict[str, list[Use]] = {}
        for function, index, touch in (*self._by_own_coroutines(module), *self._below.get(module, ())):
            _, root, attributes = self._kinds.variable(function.module, touch.place) or (module, *touch.place)
            held = self._kinds.place(module.functions[0], Place(root))
            if any(self._has_state(kind, attributes[0]) for kind in held):
                name = f"{root}.{attributes[0]}"
                self._add(found.setdefault(name, []), function, (index, touch), name, self.kinds(module, name))
        return {name: uses for name, uses in found.items() if any(use.changes for use in uses)}

    def _by_own_coroutines(self, module: ModuleFacts) -> Iterator[tuple[FunctionFacts, int, Touch]]:
        for function in module.functions[1:]:
            for index, touch in self.touches(function) if function.is_async else ():
                root, attributes = touch.place
                if len(attributes) == 1 and root in module.variables and scope_of(function, root) is None:
                    yield function, index, touch

    def _has_state(self, kind: Kind, name: str) -> bool:
        return isinstance(kind, ClassFacts) and name not in kind.methods and self._is_state(kind, name)

    def _handed_uses(self, module: ModuleFacts) -> dict[str, list[Use]]:
        """Uses of a container by the threads of a class that all were made with it."""
        found: dict[str, list[Use]] = {}
        for item in self._elsewhere.foreign.contained(module):
            name, (function, index, touch) = _handed_name(item), item.use
            self._add(found.setdefault(name, []), function, (index, touch), name, item.kinds)
        return {name: uses for name, uses in found.items() if any(use.changes for use in uses)}

    def _common_uses(self, module: ModuleFacts) -> dict[str, list[Use]]:
        """Uses of attributes that belong to a class, not to one of its objects."""
        found: dict[str, list[Use]] = {}
        for owner in module.classes:
            common: dict[str, list[Use]] = {}
            for function, index, touch in self._on_class(owner):
                name = touch.place.attributes[0]
                kinds = self._kinds.field(owner, name)
                self._add(common.setdefault(name, []), function, (index, touch), name, kinds)
            for name, uses in common.items():
                state = self._state(owner, name, uses) if any(use.changes for use in uses) else []
                if state:
                    found[f"{name}{CLOSURE}{owner.qualified_name}"] = state
        return found

    def _on_class(self, owner: ClassFacts) -> Iterator[tuple[FunctionFacts, int, Touch]]:
        """Through the name of the class, or through `self` where no object has an attribute of its own."""
        for function, index, touch in self._by_name(owner):
            if touch.place.attributes[0] in owner.attributes:
                yield function, index, touch
        common = {name for name, values in owner.attributes.items() if _is_literal(values)}
        for item in self._hierarchy.family(owner) if common else ():
            common.difference_update(self._kinds.written_names(item))
        for function in self._hierarchy.functions(owner) if common else ():
            for index, touch in self.touches(function):
                if touch.place.root == SELF and touch.place.attributes[:1] and touch.place.attributes[0] in common:
                    yield function, index, touch

    def _is_variable(self, body: FunctionFacts, place: Place) -> bool:
        kinds = self._kinds.place(body, place)
        if is_said_per_thread(place.root, kinds):
            return False
        is_state = NONE in kinds or not _is_self_contained(
            kinds
        )  # which one it is, is state where it is made late
        return is_state and self._locks.identify(body, place) is None

    def _names(self, owner: ClassFacts, place: Place) -> Iterator[str]:
        """`self.stats.hits` reads `stats`, and is a field by itself where the class of `stats` is not known."""
        first = place.attributes[0]
        if self._hierarchy.method(owner, first) is not None:
            return
        yield first
        if len(place.attributes) > 1 and not self._kinds.field(owner, first) - {NONE}:
            yield ".".join(place.attributes[:2])

    def _state(self, owner: ClassFacts, name: str, uses: list[Use]) -> list[Use]:
        """The uses that can go wrong."""
        kinds = self._kinds.field(owner, name)
        if not self._is_state(owner, name):
            return []
        gone_over = any(use.touch.action is Action.ITERATE and not use.locks for use in uses)
        if kinds & DEQUES and not gone_over and not self._is_more_than_steps(uses):
            return [use for use in uses if _looks_and_takes(use.function, uses)]
        whole = not _is_self_contained(kinds) or (bool(kinds & THREADS) and _is_replaced(uses))
        return uses if whole else []

    def _is_state(self, owner: ClassFacts, name: str) -> bool:
        kinds = self._kinds.field(owner, name)
        if is_said_per_thread(name, kinds):
            return False
        is_table = self._kinds.is_container(kinds)
        is_lock = bool(kinds & LOCKS) or (self._locks.field(owner, name) is not None and not is_table)
        return not is_lock and not self._declared.is_confined(owner, name)

    def _is_more_than_steps(self, uses: list[Use]) -> bool:
        """True if two functions hold a lock when they use a deque, or one does so in a thread of the program.

        Else nothing shows that more is meant than its steps, each of which is safe by itself.
        """
        locking = {use.function for use in uses if use.locks}
        return len(locking) > 1 or any(self._ownership.is_in_thread(use.function) for use in uses)


def _looks_and_takes(function: FunctionFacts, uses: list[Use]) -> bool:
    """True for `while jobs: jobs.popleft()`, where nobody reckons with another one that takes the last."""
    own = [use for use in uses if use.function is function and not use.locks]
    taken = [use.index for use in own if use.touch.method in _TAKERS]
    caught = any(attempt.guards(index, _EMPTY) for index in taken for attempt in function.attempts)
    return bool(taken) and not caught and any(use.touch.action is Action.CHECK for use in own)


_TAKERS = frozenset({"popleft", "pop"})
_EMPTY = frozenset({"IndexError", "LookupError", "Exception"})


def _is_literal(values: tuple[Value, ...]) -> bool:
    """True for `names = []` in the body of a class; what is annotated may be a field of each object."""
    return bool(values) and all(value.shape is Shape.CONTAINER and value.name != "tuple" for value in values)


def _handed_name(item: Contained) -> str:
    return f"{item.field}{CLOSURE}{item.owner.qualified_name}"


def _is_replaced(uses: list[Use]) -> bool:
    """A thread is safe by itself; which thread it is, is state, where a method looks at it and starts another."""
    checked = {use.function for use in uses if use.touch.action is Action.CHECK}
    return any(use.touch.action is Action.WRITE and use.function in checked for use in uses)


def _touches(function: FunctionFacts) -> list[tuple[int, Touch]]:
    if Touch not in function.holds:
        return []
    return [(index, event) for index, event in enumerate(function.events) if isinstance(event, Touch)]


def _changed(module: ModuleFacts) -> set[str]:
    """Names of variables that some function changes."""
    changing = [function for function in module.functions[1:] if not function.holds.isdisjoint(CHANGES)]
    touches = (touch for function in changing for _, touch in _touches(function))
    return {
        touch.place.root for touch in touches if touch.action in CHANGES and touch.place.root in module.variables
    }


def _is_self_contained(kinds: frozenset[Kind]) -> bool:
    """True if all it ever holds is safe by itself, or nothing."""
    known = {kind for kind in kinds if kind != NONE}
    return bool(known) and all(isinstance(kind, str) and kind in SELF_CONTAINED for kind in known)


def _keeps_something(function: FunctionFacts) -> bool:
    """True if it writes an attribute of the function that it is."""
    if function.is_method or Action.WRITE not in function.holds or function.name in function.bound:
        return False
    touches = (event for event in function.events if type(event) is Touch and event.action is Action.WRITE)
    return any(touch.place.root == function.name and touch.place.attributes for touch in touches)
