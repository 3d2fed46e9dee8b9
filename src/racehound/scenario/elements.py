"""What goes by other names: where an argument is put into a container, and by which names it is taken out again.

def enter(self, handler):               def say(self, text):
self.members.append(handler)            for member in self.members:
member.push(text)
"""

import ast
import re
import types
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from racehound.scenario.usage import tree_of, trees_of_class

_PUTTING: Final = frozenset({"add", "append", "appendleft", "insert", "put", "put_nowait"})
_TAKING: Final = frozenset({"get", "get_nowait", "pop", "popleft"})
_FIELD: Final = re.compile(r"^self\.\w+|^\w+")


def trees_near(function: Callable[..., object], home: type | None) -> Sequence[ast.AST]:
    """The other methods of its class, or functions of its module."""
    module = getattr(function, "__globals__", {}).get("__name__", "")
    return trees_of_class(home) if home is not None else _trees_of_module(function, module)


@cache
def _trees_of_module(function: Callable[..., object], module: str) -> tuple[ast.AST, ...]:
    held = list(getattr(function, "__globals__", {}).values())
    own = [each for each in held if isinstance(each, types.FunctionType) and each.__module__ == module]
    return tuple(tree for tree in map(tree_of, own) if tree is not None)


def other_names(tree: ast.AST, parameter: str, trees: Sequence[ast.AST]) -> set[str]:
    """What else the argument may be called, itself included."""
    kept_in = {field for node in ast.walk(tree) for field in _put_into(node, parameter)}
    taken = (name for each in trees for node in ast.walk(each) for name in _taken_from(node, kept_in))
    return {parameter, *taken}


def put_into(node: ast.AST, name: str) -> Iterator[str]:
    """Where something is put by that name, also with others beside it, or in a container that is made anew."""
    yield from _put_into(node, name)
    match node:
        case ast.Call(func=ast.Attribute(value=container, attr=verb), args=args) if verb in _PUTTING:
            held: list[ast.expr] = args
        case ast.Assign(targets=[ast.Subscript(value=container)], value=value):
            held = [value]
        case ast.Assign(targets=[ast.Attribute() as container], value=value):
            held = [each for each in ast.walk(value) if isinstance(each, ast.expr)]
        case _:
            return
    groups = (each for each in held if isinstance(each, ast.Tuple | ast.List | ast.Set | ast.Dict))
    items = (item for each in groups for item in ast.iter_child_nodes(each))
    if any(isinstance(item, ast.Name) and item.id == name for item in items):
        yield from _field(container)


def _put_into(node: ast.AST, name: str) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Attribute(value=container, attr=verb), args=args) if verb in _PUTTING:
            if any(isinstance(each, ast.Name) and each.id == name for each in args):
                yield from _field(container)
        case ast.Assign(targets=[ast.Subscript(value=container)], value=ast.Name(id=given)) if given == name:
            yield from _field(container)


def _taken_from(node: ast.AST, fields: set[str]) -> Iterator[str]:
    match node:
        case ast.For(target=target, iter=gone_over) | ast.comprehension(target=target, iter=gone_over):
            if any(_mentions(gone_over, field) for field in fields):
                yield from _last_name(target)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=container)):
            if fields.intersection(_field(container)):
                yield name
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(value=held, attr=verb))):
            if verb in _TAKING and fields.intersection(_field(held)):
                yield name


def _mentions(node: ast.expr, field: str) -> bool:
    return any(
        ast.unparse(inner) == field for inner in ast.walk(node) if isinstance(inner, ast.Name | ast.Attribute)
    )


def _last_name(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name) | ast.Tuple(elts=[*_, ast.Name(id=name)]):
            yield name


def _field(container: ast.expr) -> Iterator[str]:
    found = _FIELD.match(ast.unparse(container))
    if found is not None:
        yield found[0]
