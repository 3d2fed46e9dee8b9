"""What each function does to the state in question, read once from the syntax tree.

A unit is a function that can be wrapped on its own: a method, a module function, or a function nested in one of
them. A nested function is a unit apart from the one around it, because it may run later, on another thread, when
the lock that the outer one held is long released. Comprehensions and lambdas belong to the unit they stand in.
"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from racehound.fixes.locking.scopes import FunctionNode, Scope
from racehound.fixes.locking.vocabulary import CONSUMERS, IDENTITY, MUTATORS

OWNED = frozenset(
    {"__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__", "__del__", "__setstate__"}
)
"""Methods that run while nobody else has the object, or, as `__del__`, at a moment where no lock may be taken."""


class Kind(Enum):
    INSTANCE = "instance"
    CLASS = "class"
    STATIC = "static"
    FREE = "free"


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """One access to an attribute or global."""

    name: str
    node: ast.AST
    changes: bool
    held: frozenset[str]
    """Locks whose `with` or `try … finally: release` stands around it in the same unit."""
    called: bool = False
    deferred: bool = False
    """In a lambda or generator expression that may be evaluated after its statement is over."""


@dataclass(slots=True, kw_only=True)
class Unit:
    node: FunctionNode
    kind: Kind
    scope: Scope
    outer: "Unit | None" = None
    touches: list[Touch] = field(default_factory=list)
    handed_on: list[ast.AST] = field(default_factory=list)
    """Places where the object itself is passed on: any of its methods may be called there."""
    withs: dict[str, list[ast.With | ast.AsyncWith]] = field(default_factory=dict)
    """The `with` statements that take each lock."""
    acquires: set[str] = field(default_factory=set)
    """Locks taken by a call of `acquire`."""
    generator: bool = False

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def owned(self) -> bool:
        return self.outer is None and self.kind is not Kind.FREE and self.name in OWNED

    @property
    def suspends(self) -> bool:
        """True where control leaves the body and comes back: no lock may be held across that."""
        return self.generator or isinstance(self.node, ast.AsyncFunctionDef)

    def touched(self, names: frozenset[str]) -> list[Touch]:
        return [touch for touch in self.touches if touch.name in names]

    def takes(self, lock: str) -> bool:
        return lock in self.withs or lock in self.acquires

    def call_locks(self, names: Mapping[str, str]) -> None:
        """Call each lock by the name that it has there, where it goes by several."""
        if not names:
            return
        self.touches = [replace(touch, held=_called(touch.held, names)) for touch in self.touches]
        self.acquires = set(_called(self.acquires, names))
        by_name: dict[str, list[ast.With | ast.AsyncWith]] = {}
        for name, found in self.withs.items():
            by_name.setdefault(names.get(name, name), []).extend(found)
        self.withs = by_name


def _called(locks: Iterable[str], names: Mapping[str, str]) -> frozenset[str]:
    return frozenset(names.get(lock, lock) for lock in locks)


def read_units(node: FunctionNode, *, kind: Kind, scope: Scope) -> list[Unit]:
    """The unit of a function, followed by those nested in it."""
    return _Reader(Unit(node=node, kind=kind, scope=scope)).read()


def lock_name(node: ast.AST, scope: Scope) -> str | None:
    """The attribute or global by which a lock is known, or None for an expression of another shape."""
    if isinstance(node, ast.Name):
        return scope.resolve(node) or node.id
    return scope.resolve(node)


class _Reader:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.nested: list[Unit] = []
        self._deferred = False

    def read(self) -> list[Unit]:
        self._visit_all(self.unit.node.body, frozenset())
        return [self.unit, *self.nested]

    def _visit(self, node: ast.AST, held: frozenset[str]) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._visit_function(node, held)
            case ast.With() | ast.AsyncWith():
                self._visit_with(node, held)
            case ast.Try() | ast.TryStar():
                self._visit_try(node, held)
            case ast.Lambda() | ast.GeneratorExp():
                self._visit_deferred(node, held)
            case ast.Call():
                self._visit_call(node, held)
            case ast.Return(value=ast.Name(id=name)) if name == self.unit.scope.receiver:
                pass
            case ast.Assign(targets=targets, value=ast.Name(id=name)) if name == self.unit.scope.receiver:
                self._visit_all(targets, held)
            case ast.Attribute() | ast.Subscript() | ast.Name():
                self._visit_place(node, held)
            case _:
                self.unit.generator |= isinstance(node, ast.Yield | ast.YieldFrom)
                self._visit_children(node, held)

    def _visit_children(self, node: ast.AST, held: frozenset[str]) -> None:
        self._visit_all(ast.iter_child_nodes(node), held)

    def _visit_all(self, nodes: Iterable[ast.AST], held: frozenset[str]) -> None:
        for node in nodes:
            self._visit(node, held)

    def _visit_function(self, node: FunctionNode, held: frozenset[str]) -> None:
        self._visit_all((*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)), held)
        scope = self.unit.scope.enter(node)
        self.nested += _Reader(Unit(node=node, kind=self.unit.kind, scope=scope, outer=self.unit)).read()

    def _visit_with(self, node: ast.With | ast.AsyncWith, held: frozenset[str]) -> None:
        for item in node.items:
            self._visit(item, held)
            if name := lock_name(item.context_expr, self.unit.scope):
                self.unit.withs.setdefault(name, []).append(node)
                held |= {name}
        self._visit_all(node.body, held)

    def _visit_try(self, node: ast.Try | ast.TryStar, held: frozenset[str]) -> None:
        released = {
            lock_name(call.func.value, self.unit.scope)
            for statement in node.finalbody
            for call in ast.walk(statement)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "release"
        }
        self._visit_all((*node.body, *node.handlers, *node.orelse), held | {name for name in released if name})
        self._visit_all(node.finalbody, held)

    def _visit_deferred(self, node: ast.AST, held: frozenset[str]) -> None:
        before, self._deferred = self._deferred, True
        self._visit_children(node, held)
        self._deferred = before

    def _visit_call(self, node: ast.Call, held: frozenset[str]) -> None:
        scope = self.unit.scope
        if name := scope.resolve(node.func):
            self._add(name, node, held, called=True)
        elif scope.constructs(node.func):
            self._add("__init__", node, held, called=True)
        elif isinstance(node.func, ast.Attribute):
            self._note_method(node.func, held)
            self._visit(node.func.value, held)
        else:
            self._visit(node.func, held)
        self._visit_arguments(node, held)

    def _note_method(self, function: ast.Attribute, held: frozenset[str]) -> None:
        if function.attr == "acquire" and (lock := lock_name(function.value, self.unit.scope)):
            self.unit.acquires.add(lock)
        if function.attr in MUTATORS and (name := self._root(function.value)):
            self._add(name, function, held, changes=True)

    def _visit_arguments(self, node: ast.Call, held: frozenset[str]) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            if called in CONSUMERS and isinstance(argument, ast.Lambda | ast.GeneratorExp):
                self._visit_children(argument, held)
            elif not (called in IDENTITY and isinstance(argument, ast.Name)):
                self._visit(argument, held)

    def _visit_place(self, node: ast.Attribute | ast.Subscript | ast.Name, held: frozenset[str]) -> None:
        changes = isinstance(node.ctx, ast.Store | ast.Del)
        if name := self.unit.scope.resolve(node):
            self._add(name, node, held, changes=changes)
            return
        if changes and (name := self._root(node)):
            self._add(name, node, held, changes=True)
        if isinstance(node, ast.Name) and node.id == self.unit.scope.receiver:
            self.unit.handed_on.append(node)
        self._visit_children(node, held)

    def _root(self, node: ast.AST) -> str | None:
        """The field whose object is reached into: `_failures` for `self._failures[name].count`."""
        while (name := self.unit.scope.resolve(node)) is None and isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        return name

    def _add(
        self, name: str, node: ast.AST, held: frozenset[str], *, changes: bool = False, called: bool = False
    ) -> None:
        deferred = self._deferred
        self.unit.touches.append(
            Touch(name=name, node=node, changes=changes, held=held, called=called, deferred=deferred)
        )
