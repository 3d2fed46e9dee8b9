"""Functions that threads are made of and that go round and round: nobody calls them and waits for their end."""

import ast
import threading
from collections.abc import Callable, Iterator, Sequence

from racehound.scenario.elements import trees_near
from racehound.scenario.usage import tree_of

RUN = "run"
"""What a thread calls of an object that is a thread."""


def is_thread_body(function: Callable[..., object], home: type | None) -> bool:
    """Whether a function has a loop with a condition, and its class or module hands it to a thread."""
    name, tree = getattr(function, "__name__", ""), tree_of(function)
    if tree is None or not any(isinstance(node, ast.While) for node in ast.walk(tree)):
        return False
    if name == RUN and _is_thread(home):
        return True
    return any(_hands_over(node, name) for near in trees_near(function, home) for node in ast.walk(near))


def begun_by(names: Sequence[str], home: type | None) -> tuple[str, ...]:
    """The same methods, but for each that is the body of a thread those that start this thread.

    Called by itself it would not come to an end, whatever is called after it.
    """
    if home is None:
        return tuple(names)
    return tuple(dict.fromkeys(starter for name in names for starter in _starters(name, home)))


def _starters(name: str, home: type) -> list[str]:
    function = getattr(home, name, None)
    if not callable(function) or not is_thread_body(function, home):
        return [name]
    methods = (method for tree in trees_near(function, home) for method in _functions(tree))
    found = [method.name for method in methods if any(_starts(node, name, home) for node in ast.walk(method))]
    return found or ["start" if name == RUN and _is_thread(home) else name]


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The function of which this is the syntax, and none within it."""
    inside = tree.body if isinstance(tree, ast.Module) else []
    return (node for node in inside if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _starts(node: ast.AST, name: str, home: type) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr="start")) if name == RUN:
            return _is_thread(home)
    return _hands_over(node, name)


def _is_thread(home: type | None) -> bool:
    return home is not None and issubclass(home, threading.Thread)


def _hands_over(node: ast.AST, name: str) -> bool:
    match node:
        case ast.keyword(arg="target", value=ast.Name(id=found) | ast.Attribute(attr=found)):
            return found == name
    return False
