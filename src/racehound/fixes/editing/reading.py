"""A text and its tree, and the way from a finding to the node that it speaks of."""

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, TypeVar

from racehound.fixes.transformation import CannotChange
from racehound.model.location import Location

Function = ast.FunctionDef | ast.AsyncFunctionDef
Node = TypeVar("Node", bound=ast.AST)
_LINE_END = re.compile(r"\r\n|\r|\n")
_BLOCKS = ("body", "orelse", "finalbody")


class Extent(NamedTuple):
    """From and to, in lines that begin at 1 and characters that begin at 0."""

    line: int
    column: int
    end_line: int
    end_column: int


class Reading:
    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source)
        self._lines = _LINE_END.split(source)

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def at(self, place: Location, kind: type[Node]) -> Node:
        """The outermost node of the kind that begins and ends as the place does."""
        for node in ast.walk(self.tree):
            if isinstance(node, kind) and _bounds(node) == (
                place.line,
                place.column - 1,
                place.end_line,
                (place.end_column or 0) - 1,
            ):
                return node
        raise CannotChange("the place that is accused is not where the finding says")

    def extent(self, node: ast.AST) -> Extent:
        """Where the node is, as LibCST counts."""
        line, column, end_line, end_column = _bounds(node)
        return Extent(line, self._characters(line, column), end_line, self._characters(end_line, end_column))

    def _characters(self, line: int, column: int) -> int:
        """`ast` counts the bytes of a line."""
        text = self._lines[line - 1].encode("utf-8", "surrogatepass")[:column].decode("utf-8", "surrogatepass")
        return len(text) - text.startswith("\ufeff")

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that contain it, from the inside out."""
        while (above := self._parents.get(node)) is not None:
            yield above
            node = above

    def parent(self, node: ast.AST) -> ast.AST:
        return self._parents[node]

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds the node, or is it."""
        return next(item for item in (node, *self.around(node)) if isinstance(item, ast.stmt))

    def scope(self, node: ast.AST) -> Function | ast.Lambda | ast.ClassDef | ast.Module:
        """What the node runs in."""
        scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)
        return next(item for item in self.around(node) if isinstance(item, scopes))

    def function(self, node: ast.AST) -> Function:
        found = self.scope(node)
        if isinstance(found, ast.Lambda):
            raise CannotChange("it stands in a lambda")
        if not isinstance(found, Function):
            raise CannotChange("it stands outside of any function")
        return found

    def owner(self, node: ast.AST) -> ast.ClassDef | None:
        """The class that the node stands in."""
        return next((item for item in self.around(node) if isinstance(item, ast.ClassDef)), None)

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements among which it stands, each on lines of its own."""
        above = self._parents[statement]
        for name in _BLOCKS:
            found = getattr(above, name, None)
            if isinstance(found, list) and statement in found:
                self._refuse_one_line(above, found)
                return found
        raise CannotChange("it stands where no statement can be put beside it")

    def _refuse_one_line(self, above: ast.AST, block: list[ast.stmt]) -> None:
        lines = [statement.lineno for statement in block]
        header = getattr(above, "lineno", 0)
        if len(set(lines)) < len(lines) or (header and block[0].lineno == header):
            raise CannotChange("several statements stand on one line")

    def names(self, scope: ast.AST) -> set[str]:
        """All names that are used in it, and by the module around it."""
        nodes = [*ast.walk(scope), *ast.walk(self.tree)]
        found = {node.id for node in nodes if isinstance(node, ast.Name)}
        found |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        found |= {node.name for node in nodes if isinstance(node, Function | ast.ClassDef)}
        found |= {item.asname or item.name for node in nodes for item in _imported(node)}
        declared = (node.names for node in nodes if isinstance(node, ast.Global | ast.Nonlocal))
        return found.union(*declared)

    def refuse_rebound(self, *builtins: str) -> None:
        """A patch says these names and means those of Python."""
        for found in rebound(self.tree, *builtins):
            raise CannotChange(f"`{found}` is something of this file's own")

    def unused(self, scope: ast.AST, *wanted: str) -> str:
        """The first of the names that means nothing yet."""
        taken = self.names(scope)
        numbered = (f"{wanted[0]}_{number}" for number in range(2, len(taken) + 3))
        return next(name for name in (*wanted, *numbered) if name not in taken)


def rebound(tree: ast.Module, *builtins: str) -> Iterator[str]:
    """Those of the names that the file gives a meaning of its own; a method is no such meaning."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                found = name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found = name if node in tree.body else ""
            case ast.alias(name=name, asname=other):
                found = other or name
            case _:
                continue
        if found in builtins:
            yield found


def _imported(node: ast.AST) -> list[ast.alias]:
    return node.names if isinstance(node, ast.Import | ast.ImportFrom) else []


def _bounds(node: ast.AST) -> tuple[int, int, int, int]:
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    return line, column, getattr(node, "end_lineno", 0) or 0, getattr(node, "end_col_offset", 0) or 0


def is_place(node: ast.AST) -> bool:
    """True for `name` and `self.name.other`, which may be said twice."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def same(one: ast.AST, other: ast.AST) -> bool:
    return ast.unparse(one) == ast.unparse(other)
