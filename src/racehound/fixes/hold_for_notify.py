"""A notification moves to the end of the block that holds its condition, or gets such a block."""

import ast
from collections.abc import Sequence
from typing import ClassVar

import libcst as cst

from racehound.fixes.editing.blocks import wrapped
from racehound.fixes.editing.editor import Editor, Statement, lines_of
from racehound.fixes.editing.reading import Reading, is_place, same
from racehound.fixes.locking.rewrite import as_block
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding

_NOTIFIES = "notifies"


class HoldForNotify(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH207"})

    def takes(self, finding: Finding) -> bool:
        return super().takes(finding) and finding.first.action == _NOTIFIES

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        call = reading.at(findings[0].location, ast.Call)
        function, statement = reading.function(call), reading.statement(call)
        condition = _condition(statement, call)
        editor = Editor(reading)
        before = _block_before(reading, statement, condition)
        held = ast.unparse(condition)
        if before is not None:
            _move(editor, statement, before)
        elif "asyncio" in source:
            raise CannotChange("whether the condition belongs to threads or to tasks is not seen")
        else:
            editor.statement(statement, lambda old: [_held(old, held)])
        return Change(editor.text(), f"`{function.name}` notifies while it holds `{held}`")


def _condition(statement: ast.stmt, call: ast.Call) -> ast.expr:
    if not isinstance(statement, ast.Expr) or statement.value is not call:
        raise CannotChange("the notification stands within a larger expression")
    if not isinstance(call.func, ast.Attribute) or not is_place(call.func.value):
        raise CannotChange("it is not seen here which condition is notified")
    return call.func.value


def _block_before(reading: Reading, statement: ast.stmt, condition: ast.expr) -> ast.stmt | None:
    block = reading.block(statement)
    at = block.index(statement)
    before = block[at - 1] if at else None
    holds = isinstance(before, ast.With | ast.AsyncWith) and any(
        same(item.context_expr, condition) for item in before.items
    )
    return before if holds else None


def _move(editor: Editor, statement: ast.stmt, before: ast.stmt) -> None:
    passed: list[cst.With] = []

    def keep(old: Statement) -> list[Statement]:
        assert isinstance(old, cst.With)  # noqa: S101 - as the tree says
        passed.append(old)
        return []

    def put(old: Statement) -> list[Statement]:
        block = as_block(passed[0].body)
        return [passed[0].with_changes(body=block.with_changes(body=[*block.body, old]))]

    editor.statement(before, keep)
    editor.statement(statement, put)


def _held(old: Statement, condition: str) -> Statement:
    return wrapped(condition, [old.with_changes(leading_lines=())], before=lines_of(old))
