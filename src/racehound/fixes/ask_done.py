"""A future is asked whether it is done before it is completed."""

import ast
from collections.abc import Sequence
from typing import ClassVar

import libcst as cst

from racehound.fixes.editing.editor import Editor, Statement, lines_of, parsed
from racehound.fixes.editing.reading import Reading, is_place, same
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding

_COMPLETING = frozenset({"set_result", "set_exception"})


class AskDone(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH313"})

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        call = reading.at(findings[0].location, ast.Call)
        function = reading.function(call)
        statement = reading.statement(call)
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _COMPLETING:
            raise CannotChange("it is not seen here which future is completed")
        if not isinstance(statement, ast.Expr) or statement.value is not call:
            raise CannotChange("the future is completed within a larger expression")
        if any(isinstance(node, ast.Await | ast.NamedExpr) for node in ast.walk(call)):
            raise CannotChange("the function waits for what it completes the future with")
        reading.block(statement)
        held = call.func.value
        _refuse_asked(reading, statement, held)
        name = None if is_place(held) else reading.unused(function, "future", "waiting")
        editor = Editor(reading)
        if name is not None:
            editor.replace(held, name)
        asked = name or ast.unparse(held)
        editor.statement(statement, lambda old: _asked(old, asked, None if name is None else ast.unparse(held)))
        return Change(editor.text(), f"`{function.name}` completes `{asked}` unless it is done already")


def _refuse_asked(reading: Reading, statement: ast.stmt, held: ast.expr) -> None:
    above = reading.parent(statement)
    for node in ast.walk(above.test) if isinstance(above, ast.If) else ():
        if isinstance(node, ast.Attribute) and node.attr == "done" and same(node.value, held):
            raise CannotChange("it is asked already whether the future is done")


def _asked(old: Statement, future: str, made: str | None) -> list[Statement]:
    before = [] if made is None else [parsed(f"{future} = {made}")]
    inner = old.with_changes(leading_lines=[])
    decision = cst.If(test=cst.parse_expression(f"not {future}.done()"), body=cst.IndentedBlock(body=[inner]))
    first, *rest = [*before, decision]
    return [first.with_changes(leading_lines=lines_of(old)), *rest]
