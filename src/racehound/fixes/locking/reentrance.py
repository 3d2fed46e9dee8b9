"""Whether a thread that holds the lock may ask for it again: then it must be an RLock."""

import ast
from collections.abc import Iterable, Iterator

from racehound.fixes.locking.errors import CannotHold
from racehound.fixes.locking.territory import Territory
from racehound.fixes.locking.units import Touch, Unit


def is_reentered(land: Territory, lock: str, regions: dict[int, set[int]]) -> bool:
    """`regions` gives, by unit, the identities of the nodes that are to stand under the lock."""
    holders = [unit for unit in land.units if id(unit) in regions or unit.takes(lock)]
    names = {unit.name for unit in holders}
    for unit in holders:
        inside = regions.get(id(unit), set())
        called = {touch.name for touch in unit.touches if _is_inside(touch, lock, inside)}
        if names & _reachable(land, called) or _runs_nested_holder(unit, holders, inside):
            return True
        if any(id(node) in inside for node in unit.handed_on):
            return True
    return False


def refuse_own_resizing(land: Territory, fields: Iterable[str]) -> None:
    """A loop that changes what it goes over, by way of a method, breaks in one thread: no lock keeps that out."""
    for unit in land.units:
        for loop in ast.walk(unit.node):
            if isinstance(loop, ast.For):
                over = {touch.name for touch in _within(unit, loop.iter)} & set(fields)
                called = {touch.name for step in loop.body for touch in _within(unit, step) if touch.called}
                for name in sorted(called & set(land.methods)):
                    changed = over & _changed_by(land, _reachable(land, {name})) if _is_itself(loop.iter) else ()
                    if changed:
                        raise CannotHold(
                            f"`{unit.name}` goes over `{min(changed)}` and calls `{name}`, which changes it in "
                            "the same thread: go over a copy"
                        )


def _within(unit: Unit, node: ast.AST) -> Iterator[Touch]:
    inside = {id(inner) for inner in ast.walk(node)}
    return (touch for touch in unit.touches if id(touch.node) in inside)


def _is_itself(gone_over: ast.expr) -> bool:
    """True for the container and its views; what a call gives otherwise may be a copy."""
    match gone_over:
        case ast.Call(func=ast.Attribute(attr="items" | "keys" | "values")):
            return True
        case ast.Call():
            return False
    return True


def _changed_by(land: Territory, methods: set[str]) -> set[str]:
    return {touch.name for unit in land.units if unit.name in methods for touch in unit.touches if touch.changes}


def _is_inside(touch: Touch, lock: str, inside: set[int]) -> bool:
    return id(touch.node) in inside or lock in touch.held


def _reachable(land: Territory, names: set[str]) -> set[str]:
    """The methods that calls of `names` may lead to; a property counts as called where it is read."""
    reached: set[str] = set()
    waiting = names & set(land.methods)
    while waiting:
        reached |= waiting
        used = {touch.name for unit in land.units if unit.name in waiting for touch in unit.touches}
        waiting = (used & set(land.methods)) - reached
    return reached


def _runs_nested_holder(unit: Unit, holders: list[Unit], inside: set[int]) -> bool:
    nested = {holder.name for holder in holders if holder.outer is unit}
    return any(
        isinstance(node, ast.Name) and node.id in nested and id(node) in inside for node in ast.walk(unit.node)
    )
