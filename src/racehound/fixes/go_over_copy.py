"""A loop goes over a copy of what it changes."""

import ast
from collections.abc import Iterator, Sequence
from typing import ClassVar

from racehound.fixes.editing.editor import Editor, listed
from racehound.fixes.editing.reading import Reading, is_place, same
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding

_VIEWS = frozenset({"items", "keys", "values"})
_GROWING = frozenset({"append", "appendleft", "extend", "insert"})


class GoOverCopy(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH104"})
    wants_lock: bool = True
    is_of_one_task: bool = True

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        line = findings[0].location.line
        loop = next(_loops(reading, findings[0].second.location.line, line), None)
        if loop is None:
            raise CannotChange("the change is not made in the loop itself")
        gone_over = _iterated(loop.iter)
        if gone_over is None:
            raise CannotChange("what the loop goes over is no plain container")
        _refuse_growing(loop, gone_over)
        reading.refuse_rebound("list")
        function = reading.function(loop)
        editor = Editor(reading)
        editor.expression(loop.iter, listed)
        return Change(editor.text(), f"`{function.name}` goes over a copy of `{ast.unparse(gone_over)}`")


def _loops(reading: Reading, begin: int, inside: int) -> Iterator[ast.For]:
    for node in ast.walk(reading.tree):
        if not isinstance(node, ast.For) or not node.lineno <= inside <= (node.end_lineno or 0):
            continue
        if node.iter.lineno <= begin <= (node.iter.end_lineno or 0):
            yield node


def _iterated(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(value=held, attr=name), args=[], keywords=[]) if name in _VIEWS:
            return held if is_place(held) else None
    return node if is_place(node) else None


def _refuse_growing(loop: ast.For, gone_over: ast.expr) -> None:
    """A loop over a list may mean to come to what it appends."""
    for node in ast.walk(loop):
        match node:
            case ast.Call(func=ast.Attribute(value=held, attr=name)) if name in _GROWING and same(held, gone_over):
                raise CannotChange("the loop may mean to come to what it adds")
