"""What a new lock is called: a free name that does not depend on what other patches do to the same file.

Patches of one file are shown one by one and written together, so that each must choose the name that it would
choose after the others: a class lock is an attribute and never stands in the way of a global, and a class whose
base is in the same file, and may get a lock, too, names its lock after itself.
"""

import ast
import re
from collections.abc import Iterable, Iterator

from racehound.fixes.locking.territory import Territory, ancestors, descendants

NAMES = ("_lock", "_state_lock", "_guard_lock")
PLAIN_BASES = frozenset({"ABC", "Generic", "Protocol", "abc.ABC", "object", "typing.Generic", "typing.Protocol"})


def name_of_module_lock(tree: ast.Module) -> str:
    return _free(NAMES, _globals(tree))


def name_of_class_lock(land: Territory, node: ast.ClassDef) -> str:
    above = ancestors(node, land.classes)
    family = [node, *above, *descendants(node, land.classes)]
    return _free(_usual(land, node, above), (name for tree in family for name in _all_names(tree)))


def _usual(land: Territory, node: ast.ClassDef, above: list[ast.ClassDef]) -> tuple[str, ...]:
    if above:
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", node.name).strip("_").lower()
        return (f"_{words}_lock",)
    bases = {ast.unparse(base).partition("[")[0] for base in node.bases}
    # A base that is not in this file may have a `_lock` of its own.
    return NAMES if bases <= PLAIN_BASES | set(land.classes) else NAMES[1:]


def _free(names: Iterable[str], used: Iterable[str]) -> str:
    taken = set(used)
    numbered = (f"_lock_{number}" for number in range(2, len(taken) + 4))
    return next(name for name in (*names, *numbered) if name not in taken)


def _globals(tree: ast.AST) -> Iterator[str]:
    """Names that functions may say bare; what a class body assigns is reached through the class alone."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(tree, ast.ClassDef) and isinstance(child, ast.Assign | ast.AnnAssign):
            continue
        if not isinstance(child, ast.Attribute | ast.Constant):
            yield from _names(child)
        yield from _globals(child)


def _all_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        yield from _names(node)


def _names(node: ast.AST) -> tuple[str, ...]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            return (name,)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Constant(value=str(name)):
            return (name,)
        case ast.alias(name=name, asname=asname):
            return (asname or name,)
    return ()
