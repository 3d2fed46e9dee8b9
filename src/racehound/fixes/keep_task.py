"""A set for the tasks that nobody else holds: each is put into it, and taken out when it is done.

The set is one of the module, even where an object starts the tasks: an object that holds its tasks, and is held by
nothing but them, is collected together with them.
"""

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import ClassVar

import libcst as cst

from racehound.analysis.awaiting.lost_tasks import CALLERS_OF_CALLBACKS
from racehound.fixes.editing.editor import Editor, Statement, parsed
from racehound.fixes.editing.module_level import with_line_behind_imports
from racehound.fixes.editing.reading import Function, Reading
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding

_COMMENT = "Tasks at work: the event loop itself holds them by weak references only."
_NAMES = ("task", "background_task")
_SETS = ("_tasks", "_background_tasks")


class KeepTask(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH305"})

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        call = reading.at(findings[0].location, ast.Call)
        function = reading.function(call)
        known = _known_set(reading, function, call)
        kept_in = known or reading.unused(reading.tree, *_SETS)
        editor = Editor(reading)
        self._keep(reading, editor, call, kept_in)
        for other in _others(reading, findings[0], function):
            with suppress(CannotChange):  # it stays accused
                self._keep(reading, editor, other, kept_in)
        after = editor.text()
        if known is None:
            reading.refuse_rebound("set")
            hint = _hint(reading, function, call)
            after = with_line_behind_imports(after, f"{kept_in}{hint} = set()", _COMMENT)
        return Change(after, f"`{function.name}` puts the task into `{kept_in}` until it is done")

    def _keep(self, reading: Reading, editor: Editor, call: ast.Call, kept_in: str) -> None:
        statement = reading.statement(call)
        if isinstance(call.func, ast.Attribute) and call.func.attr in CALLERS_OF_CALLBACKS:
            raise CannotChange("the loop starts the task later, and gives it to nobody")
        reading.block(statement)
        variable = _kept_as(reading, reading.function(call), statement, call)
        editor.statement(statement, lambda old: _kept(old, variable, kept_in))


def _others(reading: Reading, finding: Finding, function: Function) -> Iterator[ast.Call]:
    """Further tasks that the same function starts and nobody holds."""
    lines = {access.location.line for access in finding.further if access.action == finding.first.action}
    for place in (access.location for access in finding.further if access.location.line in lines):
        with suppress(CannotChange):
            call = reading.at(place, ast.Call)
            if reading.function(call) is function:
                yield call


def _kept_as(reading: Reading, function: Function, statement: ast.stmt, call: ast.Call) -> str:
    """The variable that the task has, or gets."""
    match statement:
        case ast.Expr(value=value) if value is call:
            return reading.unused(function, *_NAMES)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=value))) if value is call:
            return reading.unused(function, *_NAMES)
        case ast.Assign(targets=[ast.Name(id="_")], value=value) if value is call:
            return reading.unused(function, *_NAMES)
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is call:
            if any(
                name in node.names for node in ast.walk(function) if isinstance(node, ast.Global | ast.Nonlocal)
            ):
                raise CannotChange(f"`{name}` is no variable of the function alone")
            return name
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is call:
            return name
    raise CannotChange("the task is started within a larger expression")


def _kept(old: Statement, variable: str, kept_in: str) -> list[Statement]:
    assert isinstance(old, cst.SimpleStatementLine)  # noqa: S101 - an expression or an assignment
    made, then = _made(old.body[0], variable)
    callback = f"{variable}.add_done_callback({kept_in}.discard)"
    first = old.with_changes(body=[made.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])
    return [first, parsed(f"{kept_in}.add({variable})"), parsed(callback), *then]


def _made(part: cst.BaseSmallStatement, variable: str) -> tuple[cst.BaseSmallStatement, list[Statement]]:
    """The task in its variable, and what was to be done with it."""
    target = [cst.AssignTarget(cst.Name(variable))]
    match part:
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Call() as call)) as outer):
            if not _is_start(call):
                return cst.Assign(targets=target, value=outer), []
            assert isinstance(outer.func, cst.Attribute)  # noqa: S101 - what was just matched
            then = outer.with_changes(func=outer.func.with_changes(value=cst.Name(variable)))
            return cst.Assign(targets=target, value=call), [cst.SimpleStatementLine(body=[cst.Expr(then)])]
        case cst.Expr(value=value):
            return cst.Assign(targets=target, value=value), []
        case cst.Assign(value=value):
            return part.with_changes(targets=target), []
    return part, []


def _is_start(call: cst.Call) -> bool:
    """True for the call that starts, False for `get_running_loop()` before `.create_task(...)`."""
    match call.func:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name in {"create_task", "ensure_future", "gather"}
    return False


def _known_set(reading: Reading, function: Function, call: ast.Call) -> str | None:
    """A set that the file keeps tasks in already, and that can be named here."""
    receivers = [argument.arg for argument in function.args.args[:1]]
    owner = reading.owner(call)
    for node in ast.walk(reading.tree):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="add_done_callback"), args=[ast.Attribute(value=held, attr="discard")]
            ):
                pass
            case _:
                continue
        match held:
            case ast.Name(id=name) if _is_set_of_module(reading, name):
                return name
            case ast.Attribute(value=ast.Name(id=root)) if (
                owner is not None and reading.owner(node) is owner and receivers == [root]
            ):
                return ast.unparse(held) if reading.parent(function) is owner else None
    return None


def _is_set_of_module(reading: Reading, name: str) -> bool:
    for statement in reading.tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found)):
                if found == name:
                    return True
    return False


def _hint(reading: Reading, function: Function, call: ast.Call) -> str:
    """The type of the set, where the file says types and knows the module by its name."""
    imported = any(
        isinstance(node, ast.Import) and any(alias.name == "asyncio" and not alias.asname for alias in node.names)
        for node in reading.tree.body
    )
    gathers = isinstance(call.func, ast.Attribute) and call.func.attr == "gather"
    return ": set[asyncio.Task[object]]" if function.returns and imported and not gathers else ""
