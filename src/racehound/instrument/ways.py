"""The ways that functions can go at their decisions, and which of them have been gone.

A search that has exhausted every interleaving of its scenarios knows nothing of what no scenario came to. So each
block that a decision leads to notes that it was entered, by one store that publishes nothing:

    if self.balance >= amount:        if self.balance >= amount:
        self.balance -= amount            __rh_taken__[7] = 1
                                          self.balance -= amount
                                      else:
                                          __rh_taken__[8] = 1

What hangs on the arguments alone and does nothing with the state, such as a refusal, is no way of its own.
"""

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import TypeAlias

from racehound.instrument.making import text_of

TAKEN = "__rh_taken__"
_STATE = (ast.Attribute, ast.Subscript, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_PLAIN_CALLS = frozenset({"bool", "callable", "float", "int", "isinstance", "issubclass", "len", "str", "type"})
_LONGEST = 60
"""Letters of a condition that are told."""


@dataclass(frozen=True, slots=True)
class Way:
    path: str
    line: int
    missed: str
    """What can be said where nobody has gone it, such as "`self.items` was never true"."""
    is_entry: bool = False
    """The way into a function: those of one that nobody has entered do not count."""


class WayTable:
    """Instrumented code names its ways by number."""

    def __init__(self) -> None:
        self._ways: list[Way] = []
        self.taken = bytearray()
        """By number, one where a way has been gone; grows in place, since instrumented code holds it."""

    def add(self, way: Way) -> int:
        self._ways.append(way)
        self.taken.append(0)
        return len(self._ways) - 1

    def forget(self) -> None:
        """Counts nothing that has been gone so far, such as by an import."""
        self.taken[:] = bytes(len(self.taken))

    def untaken(self, path: str, lines: range) -> list[Way]:
        """Those among the lines of a function that nobody has gone, though it was entered."""
        if not self.was_entered(path, lines):
            return []
        return [self._ways[number] for number in self._among(path, lines) if not self.taken[number]]

    def was_entered(self, path: str, lines: range) -> bool:
        """Whether somebody has come to the function on these lines."""
        return any(self.taken[number] for number in self._among(path, lines) if self._ways[number].is_entry)

    def _among(self, path: str, lines: range) -> list[int]:
        return [number for number, way in enumerate(self._ways) if way.path == path and way.line in lines]


WAYS = WayTable()
"""Numbers in code mean the same all over the process, and so does the table."""


class Marker:
    """Makes the statements that note a way; told about a decision before it is rewritten."""

    def __init__(self, path: str, parameters: frozenset[str] = frozenset()) -> None:
        self._path = path
        self._parameters = parameters

    def inside(self, arguments: ast.arguments) -> "Marker":
        """The one for the body of a function."""
        given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        return Marker(self._path, frozenset(argument.arg for argument in given) - {"self", "cls"})

    def entry(self, node: ast.stmt) -> ast.stmt:
        return self._noting(node, "", is_entry=True)

    def branches(self, node: ast.If) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """What notes that the condition was true, and that it was false."""
        if isinstance(node.test, ast.Constant):
            return [], []
        is_theirs = self._is_theirs(node.test)
        said = f"`{_told(node.test)}` was never"
        return (
            [] if is_theirs and _does_nothing(node.body) else [self._noting(node, f"{said} true")],
            [] if is_theirs and _does_nothing(node.orelse) else [self._noting(node, f"{said} false")],
        )

    def choices(self, node: ast.IfExp) -> "tuple[Wrap, Wrap]":
        """The same within an expression, for what calls something."""
        if self._is_theirs(node.test):
            return as_it_is, as_it_is
        said = f"`{_told(node.test)}` was never"
        return self._wrapping(node.body, f"{said} true"), self._wrapping(node.orelse, f"{said} false")

    def rest(self, node: ast.BoolOp) -> "Wrap":
        """What notes that the last part was asked for: `self._made or self._make()`."""
        if all(map(self._is_theirs, node.values[:-1])):
            return as_it_is
        return self._wrapping(node.values[-1], f"`{_told(node.values[-1])}` was never asked for")

    def _wrapping(self, value: ast.expr, missed: str) -> "Wrap":
        if not any(isinstance(inner, ast.Call | ast.Await) for inner in ast.walk(value)):
            return as_it_is
        number = WAYS.add(Way(self._path, value.lineno, missed))
        function = ast.Attribute(ast.Name(TAKEN, ast.Load()), "__setitem__", ast.Load())
        noted = ast.Call(function, [ast.Constant(number), ast.Constant(1)], [])

        def wrapped(visited: ast.expr) -> ast.expr:
            both = ast.Tuple([noted, visited], ast.Load())
            return ast.copy_location(ast.Subscript(both, ast.Constant(1), ast.Load()), visited)

        return wrapped

    def loop(self, node: ast.While | ast.For | ast.AsyncFor) -> list[ast.stmt]:
        """What notes that a loop had a round."""
        if isinstance(node, ast.While):
            if isinstance(node.test, ast.Constant):
                return []
            return [self._noting(node, f"`{_told(node.test)}` was never true")]
        return [self._noting(node, f"`{_told(node.iter)}` never had an item")]

    def handler(self, node: ast.ExceptHandler) -> list[ast.stmt]:
        """What notes that something was caught; what is only raised again was not meant for anybody."""
        if isinstance(node.body[-1], ast.Raise) and _does_nothing(node.body):
            return []
        caught = _told(node.type) if node.type is not None else "anything"
        return [self._noting(node, f"`{caught}` was never caught")]

    def case(self, node: ast.match_case) -> list[ast.stmt]:
        return [self._noting(node.body[0], f"`case {_cut(ast.unparse(node.pattern))}` never matched")]

    def _noting(self, near: ast.stmt | ast.ExceptHandler, missed: str, *, is_entry: bool = False) -> ast.stmt:
        number = WAYS.add(Way(self._path, near.lineno, missed, is_entry))
        place = ast.Subscript(ast.Name(TAKEN, ast.Load()), ast.Constant(number), ast.Store())
        return ast.copy_location(ast.Assign([place], ast.Constant(1)), near)

    def _is_theirs(self, test: ast.expr) -> bool:
        """Whether the condition asks for nothing but the arguments, which callers choose."""
        return all(self._is_of_arguments(node) for node in ast.walk(test))

    def _is_of_arguments(self, node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name(id=name)):
                return name in _PLAIN_CALLS
            case ast.Name(id=name):
                return name in self._parameters or hasattr(builtins, name)
        return not isinstance(node, (*_STATE, ast.Call))


Wrap: TypeAlias = Callable[[ast.expr], ast.expr]


def as_it_is(visited: ast.expr) -> ast.expr:
    return visited


def _does_nothing(body: Iterable[ast.stmt]) -> bool:
    """Whether a block leaves all state alone: it raises, or works with values of its own."""
    return all(
        isinstance(statement, ast.Raise | ast.Pass)
        or not any(isinstance(node, (*_STATE, ast.Call, ast.With, ast.AsyncWith)) for node in ast.walk(statement))
        for statement in body
    )


def _told(node: ast.expr) -> str:
    return _cut(text_of(node))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def lines_of(function: Callable[..., object]) -> tuple[str, range] | None:
    """The file of a function and the lines from its first to its last, nested functions included."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return None
    return code.co_filename, range(code.co_firstlineno, max(_lines(code)) + 1)


def _lines(code: CodeType) -> Iterator[int]:
    yield code.co_firstlineno
    yield from (line for _, _, line in code.co_lines() if line is not None)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _lines(inner)
