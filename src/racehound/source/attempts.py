"""`try` statements: what they guard, what they catch, and how the handlers go on; so does `with suppress(...)`."""

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Caught(NamedTuple):
    """One `except` clause."""

    names: tuple[str, ...]
    """Last names of the exception classes; empty for a bare `except`."""
    line: int
    events: tuple[int, int]
    """The events of its body, as a half-open range."""
    raises: bool
    leaves: bool
    """It may end the loop or the function around it."""
    keeps: bool
    """It gives the exception a name, and so may pass it on."""
    passes_on: bool
    """Whatever it does, the same exception goes on: it ends with a bare `raise` and is left by nothing else."""


class Attempt:
    """The events of a `try` body, as a half-open range, and its handlers."""

    __slots__ = ("begin", "end", "handlers", "loop")

    def __init__(self, begin: int, loop: int) -> None:
        self.begin = begin
        self.end = begin
        self.loop = loop
        """How many loops of the function surround it."""
        self.handlers: list[Caught] = []

    def close(self, end: int) -> None:
        """The body ends here, and the handlers have none of their own."""
        self.end = end
        self.handlers = [caught._replace(events=(end, end)) for caught in self.handlers]

    def guards(self, index: int, names: frozenset[str]) -> bool:
        """True if an event is in the body and one of these exceptions, or all, is caught, and ends there."""
        if not self.begin <= index < self.end:
            return False
        kept = [caught for caught in self.handlers if not caught.passes_on]
        return any(not caught.names or names & set(caught.names) for caught in kept)


def suppressed(entered: ast.expr) -> Caught | None:
    """What `with contextlib.suppress(KeyError)` catches."""
    match entered:
        case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=[_, *_] as types):
            names = tuple(name for item in types for name in _names(item))
            return Caught(names, entered.lineno, (0, 0), raises=False, leaves=False, keeps=False, passes_on=False)
    return None


def caught_by(node: ast.ExceptHandler, events: tuple[int, int]) -> Caught:
    inside = set(_statements(node.body))
    leaves = ast.Return in inside or ast.Break in inside
    return Caught(
        names=tuple(_names(node.type)),
        line=node.lineno,
        events=events,
        raises=ast.Raise in inside,
        leaves=leaves,
        keeps=node.name is not None,
        passes_on=not leaves and ast.Continue not in inside and _raises_the_same(node),
    )


def _raises_the_same(node: ast.ExceptHandler) -> bool:
    match node.body[-1]:
        case ast.Raise(exc=None):
            return True
        case ast.Raise(exc=ast.Name(id=name)):
            return name == node.name
    return False


def _statements(body: Iterable[ast.AST]) -> Iterator[type[ast.AST]]:
    """The types of all statements, those in blocks included; expressions have none."""
    for statement in body:
        yield type(statement)
        for part in _BLOCKS:
            inner = getattr(statement, part, None)
            if inner:
                yield from _statements(inner)


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def _names(node: ast.expr | None) -> list[str]:
    match node:
        case ast.Tuple(elts=parts):
            return [name for part in parts for name in _names(part)]
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return [name]
        case None:
            return []
    return ["?"]
