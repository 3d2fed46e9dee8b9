"""Functions that threads are made of and that go round and round: nobody calls them and waits for their end."""

import ast
from collections.abc import Callable

from racehound.scenario.elements import trees_near
from racehound.scenario.usage import tree_of


def is_thread_body(function: Callable[..., object], home: type | None) -> bool:
    """Whether a function has a loop with a condition, and its class or module hands it to a thread."""
    name, tree = getattr(function, "__name__", ""), tree_of(function)
    if tree is None or not any(isinstance(node, ast.While) for node in ast.walk(tree)):
        return False
    return any(_hands_over(node, name) for near in trees_near(function, home) for node in ast.walk(near))


def _hands_over(node: ast.AST, name: str) -> bool:
    match node:
        case ast.keyword(arg="target", value=ast.Name(id=found) | ast.Attribute(attr=found)):
            return found == name
    return False
