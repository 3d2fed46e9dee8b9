"""A loop that awaits goes over a copy of what other tasks change.

Between two awaits nobody else runs on the event loop, so the copy is made in one step. A lock would have to be
held for all that the loop awaits.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import ClassVar

from racehound.fixes.editing.editor import Editor, listed
from racehound.fixes.editing.reading import Reading
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding


class GoOverSnapshot(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH103"})
    or_lock: bool = True

    def takes(self, finding: Finding) -> bool:
        """Between threads a copy is no single step on every build."""
        return super().takes(finding) and finding.subject.coroutines

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        gone_over = next(_gone_over(reading, findings[0].location.line), None)
        if gone_over is None:
            raise CannotChange("what is gone over stands in no plain loop")
        reading.refuse_rebound("list")
        editor = Editor(reading)
        editor.expression(gone_over, listed)
        function = reading.function(gone_over)
        return Change(editor.text(), f"`{function.name}` goes over a copy of `{ast.unparse(gone_over)}`")


def _gone_over(reading: Reading, line: int) -> Iterator[ast.expr]:
    """What a loop that awaits goes over, where that stands in the line."""
    for node in ast.walk(reading.tree):
        match node:
            case ast.For(iter=gone_over, body=body):
                inside: Sequence[ast.AST] = body
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                gone_over, inside = node.generators[0].iter, [node]
            case _:
                continue
        if gone_over.lineno <= line <= (gone_over.end_lineno or 0) and any(map(_awaits, inside)):
            yield gone_over


def _awaits(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Await | ast.AsyncFor | ast.AsyncWith) for inner in ast.walk(node))
