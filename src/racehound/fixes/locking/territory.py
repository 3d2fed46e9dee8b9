"""All that a plan needs to know of the class or the module whose state is to be guarded."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from racehound.fixes.locking.locks import (
    Allocation,
    ExistingLock,
    allocations,
    conditions_over_locks,
    existing_locks,
    factory_name,
    of_asyncio,
)
from racehound.fixes.locking.scopes import ClassScope, FunctionNode, ModuleScope, Scope
from racehound.fixes.locking.strangers import is_container
from racehound.fixes.locking.units import OWNED, Kind, Unit, read_units
from racehound.fixes.locking.vocabulary import CONTAINER_NAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class Territory:
    tree: ast.Module
    class_node: ast.ClassDef | None
    scope: Scope
    units: tuple[Unit, ...]
    made: tuple[Allocation, ...]
    module_locks: dict[str, ExistingLock]
    aliases: dict[str, str]
    """Local names of what `from … import … as` brings in."""

    @property
    def locks(self) -> dict[str, ExistingLock]:
        """Locks of the class, or of the module where the state is global."""
        known = existing_locks(list(self.made), self.aliases)
        return {name: lock for name, lock in known.items() if name not in self._of_asyncio}

    @property
    def async_locks(self) -> dict[str, ExistingLock]:
        known = existing_locks(list(self.made), self.aliases)
        return {name: lock for name, lock in known.items() if name in self._of_asyncio}

    @property
    def _of_asyncio(self) -> frozenset[str]:
        return of_asyncio(list(self.made), self.tree)

    @property
    def conditions(self) -> dict[str, str]:
        """The conditions that are made with a lock, and the lock of each: units call it by this name."""
        return conditions_over_locks(list(self.made), self.aliases)

    def conditions_over(self, lock: str) -> frozenset[str]:
        """Those by which the lock goes, too; a condition may be a lock of its own."""
        over = {condition for condition, name in self.conditions.items() if name == lock}
        return frozenset(over | ({lock} & self.made_by(frozenset({"Condition"}))))

    @property
    def methods(self) -> dict[str, FunctionNode]:
        return {unit.name: unit.node for unit in self.units if unit.outer is None}

    @property
    def functions(self) -> dict[str, FunctionNode]:
        return {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}

    @property
    def classes(self) -> dict[str, ast.ClassDef]:
        return {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}

    @property
    def containers(self) -> frozenset[str]:
        return frozenset(item.name for item in self.made if self._holds_container(item))

    def made_by(self, names: frozenset[str]) -> frozenset[str]:
        """Fields that are given something made by one of the named factories."""
        return frozenset(item.name for item in self.made if factory_name(item.value, self.aliases) in names)

    def _holds_container(self, item: Allocation) -> bool:
        made_of = factory_name(item.value, self.aliases) in CONTAINER_NAMES
        return made_of or is_container(item.value) or is_container(item.annotation)


def class_territory(tree: ast.Module, class_name: str) -> Territory | None:
    node = find_class(tree, class_name)
    if node is None:
        return None
    units = tuple(unit for method in methods_of(node.body) for unit in _method_units(node, method))
    aliases = import_aliases(tree)
    made = list(allocations(node.body, ClassScope(node.name, None)))
    for unit in units:
        if unit.outer is None and unit.name in OWNED:
            made += [item for item in allocations(unit.node.body, unit.scope) if item.of_instance]
    _call_locks_alike(units, made, aliases)
    return Territory(
        tree=tree,
        class_node=node,
        scope=ClassScope(node.name, "self"),
        units=units,
        made=tuple(made),
        module_locks=existing_locks(list(allocations(tree.body, ModuleScope())), aliases),
        aliases=aliases,
    )


def module_territory(tree: ast.Module) -> Territory:
    scope = ModuleScope()
    outermost = _outermost_functions(tree)
    units = tuple(unit for node in outermost for unit in read_units(node, kind=Kind.FREE, scope=scope.enter(node)))
    aliases = import_aliases(tree)
    made = tuple(allocations(tree.body, scope))
    _call_locks_alike(units, made, aliases)
    locks = existing_locks(list(made), aliases)
    return Territory(
        tree=tree, class_node=None, scope=scope, units=units, made=made, module_locks=locks, aliases=aliases
    )


def _call_locks_alike(units: Iterable[Unit], made: Iterable[Allocation], aliases: dict[str, str]) -> None:
    names = conditions_over_locks(list(made), aliases)
    for unit in units:
        unit.call_locks(names)


def find_class(tree: ast.Module, qualified_name: str) -> ast.ClassDef | None:
    place: ast.AST = tree
    for name in qualified_name.replace(".<locals>", "").split("."):
        inner = [node for node in ast.walk(place) if _is_named(node, name) and node is not place]
        if not inner:
            return None
        place = inner[0]
    return place if isinstance(place, ast.ClassDef) else None


def _is_named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name


def methods_of(body: list[ast.stmt]) -> Iterator[FunctionNode]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node
            case ast.If(body=inner, orelse=other) | ast.Try(body=inner, orelse=other):
                yield from methods_of([*inner, *other])


def _method_units(owner: ast.ClassDef, method: FunctionNode) -> list[Unit]:
    marks = {ast.unparse(decorator) for decorator in method.decorator_list}
    positional = [*method.args.posonlyargs, *method.args.args]
    receiver = positional[0].arg if positional else None
    if "staticmethod" in marks:
        return read_units(method, kind=Kind.STATIC, scope=ClassScope(owner.name, None))
    kind = Kind.CLASS if "classmethod" in marks else Kind.INSTANCE
    return read_units(method, kind=kind, scope=ClassScope(owner.name, receiver))


def _outermost_functions(node: ast.AST) -> Iterator[FunctionNode]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        else:
            yield from _outermost_functions(child)


def import_aliases(tree: ast.Module) -> dict[str, str]:
    froms = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {alias.asname: alias.name for node in froms for alias in node.names if alias.asname}


def ancestors(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> list[ast.ClassDef]:
    """The bases that the same file defines, nearest first."""
    found: list[ast.ClassDef] = []
    waiting = [node]
    while waiting:
        names = [ast.unparse(base).partition("[")[0] for base in waiting.pop(0).bases]
        new = [classes[name] for name in names if name in classes and classes[name] not in (*found, node)]
        found += new
        waiting += new
    return found


def descendants(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> list[ast.ClassDef]:
    return [other for other in classes.values() if other is not node and node in ancestors(other, classes)]
