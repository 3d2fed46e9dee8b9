"""What may block or come back, and so must not come to be done while a further lock is held."""

import ast
from collections.abc import Iterator

from racehound.fixes.locking.vocabulary import CONTAINER_METHODS, QUICK_BUILTINS, QUICK_CALLS, TELLING_METHODS

_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_SUSPENDING = (ast.Await, ast.Yield, ast.YieldFrom, ast.AsyncFor, ast.AsyncWith, ast.With)


def slow_parts(block: list[ast.stmt], *, aside: ast.AST) -> list[str]:
    """The calls, waits and blocks in some statements that are not known to be over at once, but for one node."""
    return list(dict.fromkeys(text for node in _below(block, aside) for text in _judged(node)))


def _below(nodes: list[ast.stmt], aside: ast.AST) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(nodes)
    while waiting:
        node = waiting.pop(0)
        if node is not aside:
            yield node
            if not isinstance(node, _NESTED):
                waiting += ast.iter_child_nodes(node)


def _judged(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and not _is_quick(node):
        yield f"{ast.unparse(node.func)}()"
    elif isinstance(node, _SUSPENDING):
        yield ast.unparse(node).partition("\n")[0].rstrip(":")


def _is_quick(call: ast.Call) -> bool:
    match call.func:
        case ast.Name(id=name):
            return name in QUICK_BUILTINS
        case ast.Attribute(attr=name):
            known = name in CONTAINER_METHODS or name in TELLING_METHODS
            return known or ast.unparse(call.func) in QUICK_CALLS
    return False
