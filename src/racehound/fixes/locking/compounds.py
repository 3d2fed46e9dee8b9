"""Methods that use the state only through others, and more than once: each step would be guarded, the whole not.

`move`, which calls `withdraw` and then `deposit`, holds the lock around both. Left as they are: what waits in a
loop for others, what is itself the body of a thread, and what calls strangers between its steps.
"""

import ast
from collections.abc import Sequence

from racehound.fixes.locking.closure import is_private
from racehound.fixes.locking.territory import Territory
from racehound.fixes.locking.units import Kind, Touch, Unit


def compounds(land: Territory, users: list[Unit], lock: str) -> list[Unit]:
    """Public methods with two or more steps on the state, not all of them under the lock; `users` touch it."""
    if land.class_node is None:
        return []
    steps = reaching(land, users)
    kinds = {Kind.INSTANCE, *(unit.kind for unit in users)}
    open_to_all = [unit for unit in land.units if unit.kind in kinds and _is_open(unit, users)]
    return [
        unit
        for unit in open_to_all
        if _is_operation(unit, land) and not _holds(unit, steps, lock) and _most_steps(unit, steps) > 1
    ]


def reaching(land: Territory, users: list[Unit]) -> dict[str, Unit]:
    """The methods that use the state, be it through others, by their names."""
    found = {unit.name: unit for unit in users if unit.outer is None}
    candidates = [unit for unit in land.units if _is_method(unit) and not unit.owned]
    while more := [unit for unit in candidates if unit.name not in found and _steps(unit, found)]:
        found |= {unit.name: unit for unit in more}
    return found


def _is_method(unit: Unit) -> bool:
    return unit.outer is None and unit.kind in {Kind.INSTANCE, Kind.CLASS}


def _steps(unit: Unit, methods: dict[str, Unit]) -> list[Touch]:
    """Calls of methods that use the state, and reads of such properties."""
    return [
        touch
        for touch in unit.touches
        if touch.name in methods
        and not touch.deferred
        and (touch.called or methods[touch.name].node.decorator_list)
    ]


def _is_open(unit: Unit, users: list[Unit]) -> bool:
    return unit.outer is None and not unit.owned and not is_private(unit) and unit not in users


def _is_operation(unit: Unit, land: Territory) -> bool:
    """False for what hands control away, waits in a loop, or is handed on, as to a thread."""
    waits = any(isinstance(node, ast.While) for node in ast.walk(unit.node))
    return not (unit.suspends or waits or _is_handed_on(unit, land.tree))


def _is_handed_on(unit: Unit, tree: ast.Module) -> bool:
    """True where the file says the method without calling it: `Thread(target=counter.work)`."""
    if unit.node.decorator_list:
        return False  # a property is never called
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return any(
        isinstance(node, ast.Attribute) and node.attr == unit.name and id(node) not in called
        for node in ast.walk(tree)
    )


def _holds(unit: Unit, methods: dict[str, Unit], lock: str) -> bool:
    return all(lock in touch.held for touch in _steps(unit, methods))


def _most_steps(unit: Unit, methods: dict[str, Unit]) -> int:
    return _longest(unit.node.body, {id(touch.node) for touch in _steps(unit, methods)}, 0)


def _longest(block: Sequence[ast.stmt], steps: set[int], after: int) -> int:
    """The steps on the longest way through a block, of which `after` follow it."""
    for statement in reversed(block):
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                after = _count(test, steps) + max(_longest(way, steps, after) for way in (body, orelse))
            case ast.Return() | ast.Raise():
                after = _count(statement, steps)
            case _:
                after += _count(statement, steps)
    return after


def _count(node: ast.AST, steps: set[int]) -> int:
    """Steps in a loop count twice, save those of the expression that it runs over."""
    below = sum(_count(child, steps) for child in ast.iter_child_nodes(node))
    match node:
        case ast.For(iter=once):
            below += below - _count(once, steps)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            below += below - _count(node.generators[0].iter, steps)
    return below + (id(node) in steps)
