"""Which lock guards the state: one that is there, or a new one and where it is made."""

import ast
from collections import Counter
from dataclasses import dataclass
from enum import Enum

from racehound.fixes.locking.errors import CannotHold
from racehound.fixes.locking.lock_names import name_of_class_lock, name_of_module_lock
from racehound.fixes.locking.locks import ExistingLock
from racehound.fixes.locking.territory import Territory
from racehound.fixes.locking.units import Kind, Unit

_STATEMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.Return)
MADE_OTHERWISE = frozenset(
    {"BaseModel", "Enum", "Flag", "IntEnum", "IntFlag", "Model", "NamedTuple", "StrEnum", "Struct", "TypedDict"}
)
"""Bases whose subclasses are not made by an `__init__` to which a statement could be added."""


class Home(Enum):
    """Where a lock is made."""

    EXISTING = "existing"
    INITIALIZER = "initializer"
    NEW_INITIALIZER = "new initializer"
    DATACLASS_FIELD = "dataclass field"
    CLASS_BODY = "class body"
    MODULE = "module"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    name: str
    home: Home
    existing: ExistingLock | None = None
    is_global: bool = False
    """True where functions say it by its bare name."""


def choose_lock(land: Territory, units: list[Unit], fields: frozenset[str], named: str | None) -> Choice:
    """`named` is the lock that the finding says others hold."""
    said = (named or "").rpartition(".")[2]
    name = land.conditions.get(said, said) or _most_held(land, units, fields) or _held_beside(land, units, fields)
    if name is None:
        return new_lock(land, units, fields)
    if land.class_node is not None and name not in land.locks and name in land.module_locks:
        return Choice(name=name, home=Home.EXISTING, existing=land.module_locks[name], is_global=True)
    return _reuse(land, units, name)


def _reuse(land: Territory, units: list[Unit], name: str) -> Choice:
    if name in land.async_locks:
        raise CannotHold(f"`{name}` is a lock of asyncio, and not all that use the state are coroutines")
    existing = land.locks.get(name)
    if existing is None and not any(unit.takes(name) for unit in land.units):
        raise CannotHold(f"`{name}` is not a lock that this file makes or takes")
    if existing is not None and existing.of_instance and any(unit.kind is Kind.CLASS for unit in units):
        raise CannotHold(f"a class method cannot hold `{name}`, which belongs to an instance")
    return Choice(name=name, home=Home.EXISTING, existing=existing, is_global=land.class_node is None)


def _most_held(land: Territory, units: list[Unit], fields: frozenset[str]) -> str | None:
    known = set(land.locks) | set(land.module_locks)
    held = Counter(
        name for unit in units for touch in unit.touched(fields) for name in touch.held if name in known
    )
    return held.most_common(1)[0][0] if held else None


def _held_beside(land: Territory, units: list[Unit], fields: frozenset[str]) -> str | None:
    """The one lock of the class that methods with the state hold elsewhere: what they go on with comes from there.

    With a lock of its own the state could be seen between the two sections.
    """
    taken = {name for name in land.locks for unit in units if _goes_on_from(unit, name, fields)}
    return taken.pop() if len(taken) == 1 else None


def _goes_on_from(unit: Unit, lock: str, fields: frozenset[str]) -> bool:
    """Whether a value that is read under the lock is used with the state once it is given back."""
    inside = {id(node) for section in unit.withs.get(lock, ()) for node in ast.walk(section)}
    names = [node for node in ast.walk(unit.node) if isinstance(node, ast.Name)]
    found = {node.id for node in names if id(node) in inside and isinstance(node.ctx, ast.Store)}
    touched = {id(touch.node) for touch in unit.touched(fields)} - inside
    statements = (node for node in ast.walk(unit.node) if isinstance(node, _STATEMENTS) and id(node) not in inside)
    return any(
        not touched.isdisjoint(map(id, ast.walk(statement)))
        and any(isinstance(node, ast.Name) and node.id in found for node in ast.walk(statement))
        for statement in statements
    )


def new_lock(land: Territory, units: list[Unit], fields: frozenset[str]) -> Choice:
    node = land.class_node
    if node is None:
        return Choice(name=name_of_module_lock(land.tree), home=Home.MODULE, is_global=True)
    bases = {ast.unparse(base).partition("[")[0] for base in node.bases}
    if any(base.rpartition(".")[2] in MADE_OTHERWISE for base in bases):
        raise CannotHold(f"instances of `{node.name}` are not made by an `__init__` that could make a lock")
    return Choice(name=name_of_class_lock(land, node), home=_class_home(land, node, units, fields))


def _class_home(land: Territory, node: ast.ClassDef, units: list[Unit], fields: frozenset[str]) -> Home:
    if "__new__" in land.methods or _belongs_to_class(land, units, fields):
        return Home.CLASS_BODY
    if "__init__" in land.methods:
        return Home.INITIALIZER
    if dataclass_decorator(node) is not None:
        return Home.DATACLASS_FIELD
    if node.decorator_list:
        raise CannotHold(f"a decorator may write the `__init__` of `{node.name}`")
    return Home.NEW_INITIALIZER


def _belongs_to_class(land: Territory, units: list[Unit], fields: frozenset[str]) -> bool:
    """True where instances share the state: it is reached through the class, or made in its body."""
    if any(unit.kind is Kind.CLASS or _reaches_through_class(unit, fields) for unit in units):
        return True
    of_instance = {item.name for item in land.made if item.of_instance}
    in_body = {item.name for item in land.made if item.value is not None} - of_instance
    is_dataclass = land.class_node is not None and dataclass_decorator(land.class_node) is not None
    return not is_dataclass and bool(fields & in_body & land.containers)


def _reaches_through_class(unit: Unit, fields: frozenset[str]) -> bool:
    places = (node for touch in unit.touched(fields) for node in ast.walk(touch.node))
    return any(
        isinstance(node, ast.Attribute)
        and unit.scope.resolve(node) in fields
        and not (isinstance(node.value, ast.Name) and node.value.id == unit.scope.receiver)
        for node in places
    )


def dataclass_decorator(node: ast.ClassDef) -> ast.expr | None:
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if ast.unparse(called) in {"dataclass", "dataclasses.dataclass"}:
            return decorator
    return None
