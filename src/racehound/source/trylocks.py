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
