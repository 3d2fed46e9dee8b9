"""Which nodes of a unit use the state, be it through another function or under another name."""

import ast

from racehound.fixes.locking.units import Unit


def marks(unit: Unit, fields: frozenset[str], others: list[Unit]) -> set[int]:
    """Identities of the nodes that touch the fields or call one of `others`, which do.

    Handing a function on, as to a thread, is not a call: the lock need not be held where it happens.
    """
    properties = {other.name for other in others if other.node.decorator_list}
    methods = {other.name for other in others if other.outer is None}
    touched = {
        id(touch.node)
        for touch in unit.touches
        if touch.name in fields | properties or (touch.called and touch.name in methods)
    }
    nested = {other.name for other in others if other.outer is unit}
    return touched | _calls_of(unit, nested) | _alias_uses(unit, fields)


def _calls_of(unit: Unit, names: set[str]) -> set[int]:
    called = (node.func for node in ast.walk(unit.node) if isinstance(node, ast.Call))
    return {id(function) for function in called if isinstance(function, ast.Name) and function.id in names}


def _alias_uses(unit: Unit, fields: frozenset[str]) -> set[int]:
    """Uses of local names that stand for an object kept in one of the fields: `entry = self._entries[key]`."""
    assignments = [node for node in ast.walk(unit.node) if isinstance(node, ast.Assign)]
    reaching = [target for node in assignments if _reaches(node.value, unit, fields) for target in node.targets]
    aliases = {target.id for target in reaching if isinstance(target, ast.Name)}
    return {id(node) for node in ast.walk(unit.node) if isinstance(node, ast.Name) and node.id in aliases}


def _reaches(node: ast.AST, unit: Unit, fields: frozenset[str]) -> bool:
    match node:
        case ast.Attribute() | ast.Name() if unit.scope.resolve(node) in fields:
            return True
        case ast.Subscript(value=inner) | ast.Call(func=ast.Attribute(value=inner, attr="get" | "setdefault")):
            return _reaches(inner, unit, fields)
    return False
