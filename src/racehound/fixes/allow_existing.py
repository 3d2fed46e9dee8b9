"""A file operation that was looked out for does not mind any more that another process was faster.

The look itself stays: what it decides is as it was, and only the moment between the two is closed.
"""

import ast
from collections.abc import Sequence
from typing import ClassVar

import libcst as cst

from racehound.fixes.editing.blocks import wrapped
from racehound.fixes.editing.editor import Editor, Statement, lines_of
from racehound.fixes.editing.module_level import with_imports
from racehound.fixes.editing.reading import Function, Reading, same
from racehound.fixes.locking.imports import say
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding

_KEYWORDS = {"makedirs": "exist_ok", "mkdir": "exist_ok", "unlink": "missing_ok"}
_ERRORS = {"mkdir": "FileExistsError", "remove": "FileNotFoundError", "unlink": "FileNotFoundError"}
_LOOKS = frozenset({"exists", "isdir", "is_dir", "isfile", "is_file", "lexists"})
_UNSEEN = "that another process may be faster is seen by no search over threads"


class AllowExisting(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH401"})
    is_of_one_task: bool = True

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        call = reading.at(findings[0].location, ast.Call)
        statement = reading.statement(call)
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in {*_KEYWORDS, *_ERRORS}:
            raise CannotChange("there is no form of it that does not mind the other process")
        if not isinstance(statement, ast.Expr) or statement.value is not call:
            raise CannotChange("it is done within a larger expression")
        _refuse_far_look(reading, statement, call)
        _refuse_caught(reading, statement)
        is_os = isinstance(call.func.value, ast.Name) and call.func.value.id == "os"
        name = call.func.attr
        if name == "makedirs" or not is_os:
            return _tolerant(reading, call, _KEYWORDS.get(name))
        return _suppressed(reading, statement, call, _ERRORS[name])


def _refuse_far_look(reading: Reading, statement: ast.stmt, call: ast.Call) -> None:
    """The look is the condition of the block that begins with the act, and at the same path."""
    decision = reading.parent(statement)
    if not isinstance(decision, ast.If) or statement not in decision.body:
        raise CannotChange("the look does not stand directly before it")
    assert isinstance(call.func, ast.Attribute)  # noqa: S101 - as was seen before
    paths = [*call.args[:1], call.func.value]
    looks = [node for node in ast.walk(decision.test) if isinstance(node, ast.Call)]
    for look in looks:
        if not isinstance(look.func, ast.Attribute) or look.func.attr not in _LOOKS:
            continue
        if any(same(path, seen) for path in paths for seen in [*look.args[:1], look.func.value]):
            return
    raise CannotChange("the look before it is at another path")


def _refuse_caught(reading: Reading, statement: ast.stmt) -> None:
    for above in reading.around(statement):
        if isinstance(above, ast.Try) and above.handlers and statement.lineno < above.handlers[0].lineno:
            raise CannotChange("what it raises is dealt with here")
        if isinstance(above, Function):
            return


def _tolerant(reading: Reading, call: ast.Call, keyword: str | None) -> Change:
    if keyword is None:
        raise CannotChange("there is no form of it that does not mind the other process")
    if any(item.arg in {keyword, None} for item in call.keywords) or len(call.args) > 1:
        raise CannotChange("it is said already what to do about the other process")
    editor = Editor(reading)
    editor.expression(call, lambda old: _with_keyword(old, keyword))
    return Change(editor.text(), f"`{ast.unparse(call.func)}` gets `{keyword}=True`", remarks=(_UNSEEN,))


def _with_keyword(old: cst.BaseExpression, keyword: str) -> cst.BaseExpression:
    assert isinstance(old, cst.Call)  # noqa: S101 - as the tree says
    new = cst.Arg(
        cst.Name("True"),
        keyword=cst.Name(keyword),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
    )
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    before = [*old.args[:-1], old.args[-1].with_changes(comma=comma)] if old.args else []
    last = old.args[-1].comma if old.args else cst.MaybeSentinel.DEFAULT
    return old.with_changes(args=[*before, new.with_changes(comma=last)])


def _suppressed(reading: Reading, statement: ast.stmt, call: ast.Call, error: str) -> Change:
    reading.block(statement)
    needed = say(reading.tree, "contextlib", "suppress")
    editor = Editor(reading)
    editor.statement(statement, lambda old: _with_suppress(old, f"{needed.expression}({error})"))
    summary = f"`{ast.unparse(call.func)}` does not mind a {error}"
    return Change(with_imports(editor.text(), needed), summary, remarks=(_UNSEEN,))


def _with_suppress(old: Statement, expression: str) -> list[Statement]:
    return [wrapped(expression, [old.with_changes(leading_lines=[])], before=lines_of(old))]
