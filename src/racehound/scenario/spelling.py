"""Other arguments that code takes for the same thing.

    key = name.strip().lower()        # ' A' is 'a'
    shard = number % 8                # 9 is 1
    section = path.split(".")[0]      # 'a.b' belongs to 'a'

A lock that is chosen by the argument, and state that is found by what is made of it, are shown so.
"""

import ast
from collections.abc import Iterator
from typing import Final

_CASES: Final = frozenset({"lower", "upper", "casefold", "title", "capitalize", "swapcase"})
_EDGES: Final = frozenset({"strip", "lstrip", "rstrip"})
_PARTS: Final = frozenset({"split", "rsplit", "partition", "rpartition"})


def spelt_otherwise(tree: ast.AST, name: str, value: object) -> Iterator[str | int]:
    """What a function makes the same of as of the value, for the parameter of that name."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=receiver, attr=method), args=args) if _is_made_of(
                receiver, name
            ):
                if isinstance(value, str):
                    yield from _text_with(value, method, args)
            case ast.Subscript(value=ast.Name(id=subject), slice=ast.Constant(value=0)) if subject == name:
                if isinstance(value, str):
                    yield f"{value}b"
            case ast.BinOp(left=ast.Name(id=subject), op=ast.Mod(), right=ast.Constant(value=int() as number)):
                if subject == name and isinstance(value, int):
                    yield value + number


def _is_made_of(receiver: ast.expr, name: str) -> bool:
    """Whether it is the parameter, or a part or form of it."""
    while isinstance(receiver, ast.Call) and isinstance(receiver.func, ast.Attribute):
        receiver = receiver.func.value
    return isinstance(receiver, ast.Name) and receiver.id == name


def _text_with(value: str, method: str, args: list[ast.expr]) -> Iterator[str]:
    if method in _CASES:
        yield value.swapcase()
    elif method in _EDGES:
        yield f" {value} "
    elif method in _PARTS:
        between = args[0] if args else ast.Constant(" ")
        if isinstance(between, ast.Constant) and isinstance(between.value, str):
            yield f"{value}{between.value}b"
