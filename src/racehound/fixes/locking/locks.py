"""The locks that a class or module already has, and which of them guards what."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from racehound.fixes.locking.scopes import Scope

REENTRANT = {"Lock": False, "RLock": True, "Condition": True}
"""What excludes others: whether the same thread may take it twice. A semaphore may let several in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingLock:
    name: str
    factory: str
    """Lock, RLock or Condition."""
    line: int
    """Where it is made."""
    of_instance: bool

    @property
    def reentrant(self) -> bool:
        return REENTRANT[self.factory]


@dataclass(frozen=True, slots=True)
class Allocation:
    """A field and the expression that it is first given."""

    name: str
    value: ast.expr | None
    annotation: ast.expr | None
    line: int
    of_instance: bool


def allocations(body: list[ast.stmt], scope: Scope) -> Iterator[Allocation]:
    """What the statements of a class, a module or an initializer give to fields."""
    for node in body:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _allocation(target, value, None, node.lineno, scope)
            case ast.AnnAssign(target=target, value=value, annotation=annotation):
                yield from _allocation(target, value, annotation, node.lineno, scope)
            case ast.If(body=inner, orelse=other) | ast.Try(body=inner, orelse=other):
                yield from allocations([*inner, *other], scope)


def _allocation(
    target: ast.expr, value: ast.expr | None, annotation: ast.expr | None, line: int, scope: Scope
) -> Iterator[Allocation]:
    if isinstance(target, ast.Name):
        yield Allocation(target.id, value, annotation, line, of_instance=is_dataclass_field(value))
    elif name := scope.resolve(target):
        yield Allocation(name, value, annotation, line, of_instance=True)


def is_dataclass_field(value: ast.expr | None) -> bool:
    match value:
        case ast.Call(func=ast.Name(id="field") | ast.Attribute(attr="field")):
            return True
    return False


def factory_name(value: ast.expr | None, aliases: dict[str, str]) -> str | None:
    """`RLock` for `threading.RLock()`, for `RLock()`, and for `field(default_factory=threading.RLock)`."""
    match value:
        case ast.Call(func=ast.Name(id="field") | ast.Attribute(attr="field"), keywords=keywords):
            factories = [keyword.value for keyword in keywords if keyword.arg == "default_factory"]
            return _last_name(factories[0], aliases) if factories else None
        case ast.Call(func=function):
            return _last_name(function, aliases)
    return None


def _last_name(node: ast.expr, aliases: dict[str, str]) -> str | None:
    match node:
        case ast.Attribute(attr=name):
            return name
        case ast.Name(id=name):
            return aliases.get(name, name)
    return None


def of_asyncio(made: list[Allocation], tree: ast.Module) -> frozenset[str]:
    """The fields that are given something of asyncio."""
    names = _names_of_asyncio(tree)
    return frozenset(item.name for item in made if item.value is not None and _root(item.value) in names)


def _names_of_asyncio(tree: ast.Module) -> frozenset[str]:
    """What the file calls the module and what it took out of it."""
    names = set()
    for node in tree.body:
        match node:
            case ast.Import(names=aliases):
                names |= {alias.asname or alias.name for alias in aliases if alias.name == "asyncio"}
            case ast.ImportFrom(module="asyncio", names=aliases):
                names |= {alias.asname or alias.name for alias in aliases}
    return frozenset(names)


def _root(value: ast.expr) -> str | None:
    match value:
        case ast.Call(func=ast.Name(id="field") | ast.Attribute(attr="field"), keywords=keywords):
            factories = [keyword.value for keyword in keywords if keyword.arg == "default_factory"]
            return _root(factories[0]) if factories else None
        case ast.Call(func=inner) | ast.Attribute(value=inner):
            return _root(inner)
        case ast.Name(id=name):
            return name
    return None


def conditions_over_locks(made: list[Allocation], aliases: dict[str, str]) -> dict[str, str]:
    """The lock of each condition that is made with one, by name: whoever holds the condition holds this lock."""
    known = {item.name for item in made}
    of_conditions = (item for item in made if factory_name(item.value, aliases) == "Condition")
    found = {item.name: _lock_given(item.value) for item in of_conditions}
    return {condition: lock for condition, lock in found.items() if lock is not None and lock in known}


def _lock_given(value: ast.expr | None) -> str | None:
    match value:
        case ast.Call(args=[given], keywords=[]):
            pass
        case ast.Call(args=[], keywords=[ast.keyword(arg="lock", value=given)]):
            pass
        case _:
            return None
    match given:
        case ast.Attribute(value=ast.Name(), attr=name) | ast.Name(id=name):
            return name
    return None


def existing_locks(made: list[Allocation], aliases: dict[str, str]) -> dict[str, ExistingLock]:
    over = conditions_over_locks(made, aliases)
    named = ((item, factory_name(item.value, aliases)) for item in made if item.name not in over)
    return {
        allocation.name: ExistingLock(
            name=allocation.name, factory=factory, line=allocation.line, of_instance=allocation.of_instance
        )
        for allocation, factory in named
        if factory in REENTRANT
    }
