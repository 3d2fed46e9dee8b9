"""What code does with a parameter says what it must be, where neither a type nor the name does.

A parameter that is called is a function, and so is one that becomes `self.create` where some method calls
`self.create()`. One that is reckoned with is a number, one that a loop runs over is a list.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

FUNCTION: Final = "function"
NUMBER: Final = "number"
LIST: Final = "list"
MAPPING: Final = "mapping"
_RECKONING: Final = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow)
_COMPARING: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_OF_MAPPINGS: Final = frozenset({"items", "keys", "setdefault", "values"})


def uses_of(function: Callable[..., object], owner: type | None) -> Mapping[str, str]:
    """What the parameters of a function are used as, by name; of a constructor also by other methods."""
    tree = tree_of(function)
    if tree is None:
        return {}
    direct = dict(_uses(tree))
    if owner is None:
        return direct
    as_attributes = {name: use for name, use in _uses_in_class(owner) if name.startswith("self.")}
    kept = ((name, as_attributes.get(attribute)) for name, attribute in _kept(tree))
    return {name: use for name, use in kept if use is not None} | direct


@cache
def _uses_in_class(owner: type) -> tuple[tuple[str, str], ...]:
    return tuple(use for tree in trees_of_class(owner) for use in _uses(tree))


@cache
def trees_of_class(owner: type) -> tuple[ast.AST, ...]:
    """The methods of a class and of those that it derives from, as far as they have a source."""
    members = (member for kind in owner.__mro__ for member in vars(kind).values())
    trees = (tree_of(member) for member in members if inspect.isfunction(member))
    return tuple(tree for tree in trees if tree is not None)


def tree_of(function: Callable[..., object]) -> ast.AST | None:
    """The syntax of a function; None where it has no source of its own."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):  # made by a program, or not a whole statement
        return None


def _kept(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names, and the attributes of `self` that they are bound to."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Name(id=name)):
                yield name, ast.unparse(target)
            case ast.AnnAssign(target=ast.Attribute() as target, value=ast.Name(id=name)):
                yield name, ast.unparse(target)


def _uses(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names, or attributes as source text, with what they are used as; the strongest use comes last."""
    found = [(ast.unparse(node), use) for node, use in _used(tree) if isinstance(node, ast.Name | ast.Attribute)]
    ranks = (LIST, NUMBER, MAPPING, FUNCTION)
    return iter(sorted(found, key=lambda item: ranks.index(item[1])))


def _used(tree: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=held, attr=name)) if name in _OF_MAPPINGS:
                yield held, MAPPING
            case ast.Call(func=ast.Name(id="range"), args=args):
                yield from ((argument, NUMBER) for argument in args)
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _RECKONING):
                yield from ((left, NUMBER), (right, NUMBER))
            case ast.Compare(left=left, ops=ops, comparators=others) if isinstance(ops[0], _COMPARING):
                yield from ((side, NUMBER) for side in (left, *others))
            case ast.For(iter=held) | ast.comprehension(iter=held):
                yield held, LIST
        if isinstance(node, ast.Call):
            yield node.func, FUNCTION
