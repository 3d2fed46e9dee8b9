"""`if` becomes `while` where it stands before a wait: who is woken looks again."""

import ast
from collections.abc import Sequence
from typing import ClassVar

import libcst as cst

from racehound.fixes.editing.editor import Editor, Statement
from racehound.fixes.editing.reading import Reading
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding


class WaitAgain(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH207"})

    def takes(self, finding: Finding) -> bool:
        return super().takes(finding) and finding.first.action == "waits for"

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        call = reading.at(findings[0].location, ast.Call)
        function = reading.function(call)
        statement = reading.statement(call)
        _refuse_answer(reading, statement, call)
        decision = reading.parent(statement)
        if not isinstance(decision, ast.If) or decision.body != [statement]:
            raise CannotChange("the wait does not stand alone behind an `if` that says what is waited for")
        if decision.orelse or _is_elif(reading, decision):
            raise CannotChange("the `if` before the wait has further branches")
        editor = Editor(reading)
        editor.statement(decision, lambda old: [_loop(old)])
        return Change(editor.text(), f"`{function.name}` waits as long as `{ast.unparse(decision.test)}`")


def _refuse_answer(reading: Reading, statement: ast.stmt, call: ast.Call) -> None:
    awaited = reading.parent(call) if isinstance(reading.parent(call), ast.Await) else call
    if not isinstance(statement, ast.Expr) or statement.value is not awaited:
        raise CannotChange("the result of the wait is used")
    if call.args or call.keywords:
        raise CannotChange("the wait has a time limit, which a loop would begin anew each time")


def _is_elif(reading: Reading, decision: ast.If) -> bool:
    above = reading.parent(decision)
    return isinstance(above, ast.If) and above.orelse == [decision]


def _loop(old: Statement) -> Statement:
    assert isinstance(old, cst.If)  # noqa: S101 - as the tree says
    return cst.While(
        test=old.test,
        body=old.body,
        leading_lines=old.leading_lines,
        whitespace_after_while=old.whitespace_before_test,
        whitespace_before_colon=old.whitespace_after_test,
    )
