"""Where a lock is made: one that is made again elsewhere would stay of the old kind there."""

import ast

from racehound.fixes.editing.reading import Reading
from racehound.fixes.locking.territory import Territory
from racehound.fixes.transformation import CannotChange


def refuse_second_making(reading: Reading, land: Territory, name: str) -> None:
    given = [node for node in ast.walk(reading.tree) if _is_given(reading, land, name, node)]
    if len(given) > 1:
        raise CannotChange(f"`{name}` is made in more than one place")


def _is_given(reading: Reading, land: Territory, name: str, node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=found, ctx=ast.Store()) if found == name and land.class_node is not None:
            is_ours = _is_of_family(reading.owner(node), land.class_node)
        case ast.Name(id=found, ctx=ast.Store()) if found == name:
            is_ours = _is_variable_of(reading, land, node)
        case _:
            return False
    above = reading.parent(node)
    return is_ours and not (isinstance(above, ast.AnnAssign) and above.value is None)


def _is_of_family(owner: ast.ClassDef | None, class_node: ast.ClassDef) -> bool:
    """True in the class, in those that derive from it, and where it cannot be known whose object it is."""
    if owner is None or owner is class_node:
        return True
    return any(ast.unparse(base).rpartition(".")[2] == class_node.name for base in owner.bases)


def _is_variable_of(reading: Reading, land: Territory, node: ast.Name) -> bool:
    scope = reading.scope(node)
    if scope is (land.class_node or land.tree):
        return True
    declared = (item.names for item in ast.walk(scope) if isinstance(item, ast.Global))
    return land.class_node is None and any(node.id in names for names in declared)
