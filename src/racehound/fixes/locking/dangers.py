"""What a reader should know before taking the patch: each danger makes it unsafe, a remark does not."""

import ast
import re
from collections.abc import Iterator

from racehound.fixes.locking.closure import touching
from racehound.fixes.locking.errors import CannotHold
from racehound.fixes.locking.strangers import Stranger
from racehound.fixes.locking.territory import Territory, ancestors, class_territory, descendants
from racehound.fixes.locking.units import Kind, Unit

CLAIM = re.compile(r"thread[- ]?safe", re.IGNORECASE)
COPIERS = frozenset({"asdict", "astuple", "copy", "deepcopy", "multiprocessing", "pickle"})
COPY_METHODS = frozenset(
    {"__copy__", "__deepcopy__", "__getstate__", "__reduce__", "__reduce_ex__", "__setstate__"}
)


def refuse_shared_bases(land: Territory, fields: frozenset[str]) -> None:
    """A lock made in a subclass comes too late for the methods that its base has on the same state."""
    if land.class_node is None:
        return
    for base in ancestors(land.class_node, land.classes):
        above = class_territory(land.tree, base.name)
        if above is not None and touching(above, fields):
            raise CannotHold(f"the base class `{base.name}` uses the same state")


def dangers(land: Territory, units: list[Unit], fields: frozenset[str], called: list[Stranger]) -> Iterator[str]:
    if called:
        calls = ", ".join(f"`{stranger.text}`" for stranger in called)
        yield f"the lock is held around {calls}, which may block or come back"
    for unit in land.units:
        if looks_once(unit, fields):
            yield f"`{unit.name}`, which cannot hold a lock, looks at the state without it"
    yield from common_dangers(land, units, fields)


def common_dangers(land: Territory, units: list[Unit], fields: frozenset[str]) -> Iterator[str]:
    """Those of any lock, whoever may hold it."""
    if any(touch.deferred for unit in units for touch in unit.touched(fields)):
        yield "a lambda or generator expression may use the state after the lock is released"
    for unit in land.units:
        if unit.kind is Kind.STATIC and unit.touched(fields):
            yield f"the static method `{unit.name}` is left as it is"
    yield from _copying(land)
    yield from _other_objects(units, fields)
    yield from _subclasses(land, fields)


def looks_once(unit: Unit, fields: frozenset[str]) -> bool:
    """True for a generator or coroutine that reads one value and changes none: it can do without the lock."""
    touched = unit.touched(fields)
    return unit.suspends and len(touched) == 1 and not touched[0].changes and not touched[0].called


def _copying(land: Territory) -> Iterator[str]:
    node = land.class_node
    if node is None:
        return
    if COPY_METHODS & set(land.methods) or any(_names_copier(inner) for inner in ast.walk(land.tree)):
        yield "a lock can be neither pickled nor copied, and this file does one of them"
    if "__setattr__" in land.methods:
        yield "the lock is set through a `__setattr__` of the class"


def _names_copier(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            modules = {alias.name for alias in names} | {getattr(node, "module", None)}
            return bool(modules & COPIERS)
        case ast.Attribute(value=ast.Name(id="dataclasses"), attr=name):
            return name in COPIERS
    return False


def _other_objects(units: list[Unit], fields: frozenset[str]) -> Iterator[str]:
    """Equality and merging read the same fields of another object, whose lock is not held."""
    for unit in units:
        for node in ast.walk(unit.node):
            match node:
                case ast.Attribute(value=ast.Name(id=owner), attr=name) if name in fields and _is_foreign(
                    owner, unit
                ):
                    yield f"`{unit.name}` uses `{owner}.{name}` without the lock of `{owner}`"


def _is_foreign(owner: str, unit: Unit) -> bool:
    return unit.kind is Kind.INSTANCE and owner in {argument.arg for argument in unit.node.args.args[1:]}


def _subclasses(land: Territory, fields: frozenset[str]) -> Iterator[str]:
    if land.class_node is None:
        return
    for node in descendants(land.class_node, land.classes):
        below = class_territory(land.tree, node.name)
        if below is not None and touching(below, fields):
            yield f"the subclass `{node.name}` uses the state without the lock"


def remarks(land: Territory) -> Iterator[str]:
    node = land.class_node
    if node is not None and CLAIM.search(ast.get_docstring(node) or ""):
        yield "the claim of thread safety in the docstring is left as written"
