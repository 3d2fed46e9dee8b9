"""A task that a block started is awaited at its end, before what it works with is closed."""

import ast
from collections.abc import Sequence
from typing import ClassVar

import libcst as cst

from racehound.fixes.editing.editor import Editor, Statement, lines_of, parsed
from racehound.fixes.editing.reading import Function, Reading
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding

_LEAVING = (ast.Return, ast.Break, ast.Continue)


class AwaitTask(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH307"})

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        call = reading.at(findings[0].location, ast.Call)
        function = reading.function(call)
        if not isinstance(function, ast.AsyncFunctionDef):
            raise CannotChange("only a coroutine can wait for the task")
        started = reading.statement(call)
        block = _block_around(reading, started, findings[0].second.location.line)
        _refuse_endless(reading, call)
        name = _variable(reading, function, started, call)
        _refuse_other_ways(block, started, name)
        editor = Editor(reading)
        if isinstance(started, ast.Expr):
            editor.statement(started, lambda old: [_bound(old, name)])
        _wait(editor, block, started, name)
        what = ", ".join(ast.unparse(item.context_expr) for item in block.items)
        return Change(
            editor.text(),
            f"`{function.name}` awaits `{name}` before it leaves the block of `{what}`",
            ("the block now takes as long as the task, and raises what it raises",),
        )


def _block_around(reading: Reading, started: ast.stmt, line: int) -> ast.With | ast.AsyncWith:
    block = reading.parent(started)
    if not isinstance(block, ast.With | ast.AsyncWith):
        raise CannotChange("the task is started under a condition, or more than once")
    if not block.lineno <= line <= block.body[0].lineno:
        raise CannotChange("the task is started within a further block")
    reading.block(started)
    return block


def _variable(reading: Reading, function: Function, started: ast.stmt, call: ast.Call) -> str:
    match started:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is call:
            return name
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is call:
            return name
        case ast.Expr(value=value) if value is call and _gives_task(call):
            return reading.unused(function, "task", "background_task")
    raise CannotChange("the task is not at hand where the block ends")


def _gives_task(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in {"create_task", "ensure_future"}


def _refuse_endless(reading: Reading, call: ast.Call) -> None:
    """A task that goes round until it is cancelled is waited for in vain."""
    names = {
        item.func.attr if isinstance(item.func, ast.Attribute) else getattr(item.func, "id", "")
        for item in ast.walk(call)
        if isinstance(item, ast.Call)
    }
    for node in ast.walk(reading.tree):
        if isinstance(node, ast.AsyncFunctionDef) and node.name in names and any(map(_goes_on, ast.walk(node))):
            raise CannotChange(f"`{node.name}` goes on until it is cancelled")


def _goes_on(node: ast.AST) -> bool:
    if not isinstance(node, ast.While) or not isinstance(node.test, ast.Constant) or not node.test.value:
        return False
    return not any(isinstance(inner, ast.Break | ast.Return) for inner in ast.walk(node))


def _refuse_other_ways(block: ast.With | ast.AsyncWith, started: ast.stmt, name: str) -> None:
    behind = block.body[block.body.index(started) + 1 :]
    nodes = [node for statement in behind for node in ast.walk(statement)]
    if any(isinstance(node, _LEAVING) and node is not behind[-1] for node in nodes):
        raise CannotChange("the block is left in more than one place")
    if any(isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in nodes):
        raise CannotChange(f"`{name}` becomes something else before the block ends")


def _bound(old: Statement, name: str) -> Statement:
    assert isinstance(old, cst.SimpleStatementLine)  # noqa: S101 - as the tree says
    (part,) = old.body
    assert isinstance(part, cst.Expr)  # noqa: S101 - likewise
    made = cst.Assign(targets=[cst.AssignTarget(cst.Name(name))], value=part.value)
    return old.with_changes(body=[made])


def _wait(editor: Editor, block: ast.With | ast.AsyncWith, started: ast.stmt, name: str) -> None:
    last = block.body[-1]
    if isinstance(last, _LEAVING):
        editor.statement(last, lambda old: _before(old, name))
    else:
        editor.statement(block, lambda old: [_at_end(old, name)])
    del started


def _before(old: Statement, name: str) -> list[Statement]:
    waiting = parsed(f"await {name}").with_changes(leading_lines=lines_of(old))
    return [waiting, old.with_changes(leading_lines=[])]


def _at_end(old: Statement, name: str) -> Statement:
    assert isinstance(old, cst.With)  # noqa: S101 - as the tree says
    assert isinstance(old.body, cst.IndentedBlock)  # noqa: S101 - likewise
    return old.with_changes(body=old.body.with_changes(body=[*old.body.body, parsed(f"await {name}")]))
