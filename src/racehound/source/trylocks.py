"""`if lock.acquire(blocking=False):`: on one way out the lock is held, on the other it is not."""

import ast
from typing import NamedTuple


class TryLock(NamedTuple):
    call: ast.Call
    lock: ast.expr
    is_held_if_true: bool


def try_lock(test: ast.expr) -> TryLock | None:
    """The attempt that a test is, as a whole or negated."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            found = try_lock(inner)
            return found and found._replace(is_held_if_true=not found.is_held_if_true)
        case ast.Call(func=ast.Attribute(value=lock, attr="acquire")):
            return TryLock(test, lock, is_held_if_true=True)
    return None


def awaited_lock(loop: ast.While) -> TryLock | None:
    """The attempt of `while not lock.acquire(timeout=1): ...`, which only ends with the lock in hand."""
    attempt = try_lock(loop.test)
    if attempt is None or attempt.is_held_if_true or loop.orelse or any(map(_may_break, loop.body)):
        return None
    return attempt


def _may_break(node: ast.AST) -> bool:
    return isinstance(node, ast.Break) or any(map(_may_break, ast.iter_child_nodes(node)))
