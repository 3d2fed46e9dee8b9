"""Objects that would be without the new lock, or with one that does not serve them."""

import ast
from collections.abc import Iterator

from racehound.fixes.locking.choice import Choice, Home
from racehound.fixes.locking.territory import Territory, descendants, methods_of

_IN_EACH_OBJECT = (Home.INITIALIZER, Home.NEW_INITIALIZER, Home.DATACLASS_FIELD)
_RAISED = ("Error", "Exception", "Warning")


def dangers_of_making(land: Territory, choice: Choice) -> Iterator[str]:
    """Why an object may be worse off than before: there is no lock that the methods could hold, or no copy."""
    node = land.class_node
    if node is None or choice.home not in _IN_EACH_OBJECT:
        return
    for below in descendants(node, land.classes):
        if any(method.name == "__init__" and not _calls(method, "__init__") for method in methods_of(below.body)):
            yield f"the subclass `{below.name}` does not call the `__init__` that makes the lock"
    if any(_calls(line, "__new__") for line in land.tree.body):
        yield "an object is made by `__new__` alone, which makes no lock"
    if any(ast.unparse(base).endswith(_RAISED) for base in node.bases):
        yield "exceptions are pickled on their way between processes, and a lock cannot be"


def dangers_of_loops(land: Territory, choice: Choice) -> Iterator[str]:
    """Why a lock of asyncio may come to serve a second event loop, which it refuses to."""
    node = land.class_node
    if node is None or choice.home not in _IN_EACH_OBJECT:
        return
    values = (line.value for line in land.tree.body if isinstance(line, ast.Assign | ast.AnnAssign))
    calls = (value.func for value in values if isinstance(value, ast.Call))
    if any(isinstance(called, ast.Name) and called.id == node.name for called in calls):
        yield "an object is made for the whole module, and a lock of asyncio serves one event loop only"


def _calls(tree: ast.AST, method: str) -> bool:
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(isinstance(called, ast.Attribute) and called.attr == method for called in calls)
