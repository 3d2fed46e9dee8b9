"""A lock that is taken and given back by hand is held by `with`: it is given back on every way out."""

import ast
from collections.abc import Iterator, Sequence
from typing import ClassVar

import libcst as cst

from racehound.fixes.editing.blocks import unwrapped, without_statement
from racehound.fixes.editing.editor import Editor, Statement, comments_of, lines_of
from racehound.fixes.editing.quick import slow_parts
from racehound.fixes.editing.reading import Function, Reading, is_place, same
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding

_HELD = frozenset({"Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore", "allocate_lock"})


class EncloseLock(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH204"})
    is_of_one_task: bool = True

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        taking, lock = _taking(reading, findings[0])
        function = reading.function(taking)
        block = reading.block(taking)
        inside = _until_release(block[block.index(taking) + 1 :], lock)
        _refuse_rebound(function, lock)
        editor = Editor(reading)
        dangers = list(_unknown(reading, lock))
        dangers += [
            danger
            for statement in inside
            for release in _releases(statement, lock)
            if release is not inside[-1] and not _is_last_step(inside[-1], release)
            for danger in _drop(reading, editor, release, block)
        ]
        _enclose(editor, taking, inside, lock)
        summary = f"`{function.name}` holds `{ast.unparse(lock)}` by `with`"
        return Change(editor.text(), summary, tuple(dict.fromkeys(dangers)))


def _taking(reading: Reading, finding: Finding) -> tuple[ast.stmt, ast.expr]:
    lines = {finding.first.location.line, finding.second.location.line}
    for node in ast.walk(reading.tree):
        if isinstance(node, ast.Expr) and node.lineno in lines:
            lock = _asked(node, "acquire")
            if lock is not None:
                return node, lock
    raise CannotChange("it is no plain call of `acquire` that takes the lock")


def _unknown(reading: Reading, lock: ast.expr) -> Iterator[str]:
    """Not everything that has `acquire` and `release` can be held by `with`."""
    name = lock.attr if isinstance(lock, ast.Attribute) else ast.unparse(lock)
    for node in ast.walk(reading.tree):
        match node:
            case ast.Assign(targets=[target], value=ast.Call(func=factory)):
                pass
            case (
                ast.AnnAssign(target=target, annotation=factory)
                | ast.arg(arg=target, annotation=ast.expr() as factory)
            ):
                pass
            case _:
                continue
        named = target if isinstance(target, str) else getattr(target, "attr", getattr(target, "id", None))
        if named == name and ast.unparse(factory).rpartition(".")[2] in _HELD:
            return
    yield f"that `{ast.unparse(lock)}` can be held by `with` is not seen in this file"


def _asked(statement: ast.stmt, method: str) -> ast.expr | None:
    """The lock of `lock.acquire()` and `await lock.acquire()`."""
    match statement:
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=lock, attr=name), args=[], keywords=[])
            | ast.Await(value=ast.Call(func=ast.Attribute(value=lock, attr=name), args=[], keywords=[]))
        ) if name == method and is_place(lock):
            return lock
    return None


def _until_release(following: list[ast.stmt], lock: ast.expr) -> list[ast.stmt]:
    """The statements up to the one that gives the lock back, as long as it is held."""
    for index, statement in enumerate(following):
        if _is_release(statement, lock) or _finally_releases(statement, lock):
            inside = following[: index + 1]
            if len(inside) == 1 and _is_release(statement, lock):
                raise CannotChange("nothing is done while the lock is held")
            return inside
    raise CannotChange("the block that takes the lock does not give it back")


def _is_release(statement: ast.stmt, lock: ast.expr) -> bool:
    found = _asked(statement, "release")
    return found is not None and same(found, lock)


def _finally_releases(statement: ast.stmt, lock: ast.expr) -> bool:
    if not isinstance(statement, ast.Try) or not statement.finalbody:
        return False
    return len(statement.finalbody) == 1 and _is_release(statement.finalbody[0], lock)


def _is_last_step(statement: ast.stmt, release: ast.stmt) -> bool:
    return isinstance(statement, ast.Try) and statement.finalbody == [release]


def _refuse_rebound(function: Function, lock: ast.expr) -> None:
    for node in ast.walk(function):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store) and same(node, lock):
            raise CannotChange(f"`{ast.unparse(lock)}` becomes another lock in the function")


def _releases(statement: ast.stmt, lock: ast.expr) -> Iterator[ast.stmt]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Expr) and _is_release(node, lock):
            yield node
        elif isinstance(node, ast.Attribute) and node.attr == "acquire" and same(node.value, lock):
            raise CannotChange("the lock is taken again before it is given back")


def _drop(reading: Reading, editor: Editor, release: ast.stmt, block: list[ast.stmt]) -> Iterator[str]:
    """Takes away a release before a `return` or `raise`, which leave the `with` by themselves."""
    siblings = reading.block(release)
    behind = siblings[siblings.index(release) + 1 :]
    if siblings is block or not behind or not isinstance(behind[0], ast.Return | ast.Raise):
        raise CannotChange("the lock is given back and work goes on without it")
    for above in reading.around(release):
        if above in block:
            break
        if isinstance(above, ast.Try | ast.With | ast.AsyncWith | Function):
            raise CannotChange("the lock is given back within a block that may catch what is raised")
    without_statement(reading, editor, release)
    for text in slow_parts(behind[:1], aside=release):
        yield f"`{text}` is now called while the lock is held"


def _enclose(editor: Editor, taking: ast.stmt, inside: list[ast.stmt], lock: ast.expr) -> None:
    """The statements move into the `with` as they are passed; the last one puts it all down."""
    begun: list[Statement] = []
    moved: list[Statement] = []

    def move(into: list[Statement], old: Statement) -> list[Statement]:
        into.append(old)
        return []

    def end(old: Statement) -> list[Statement]:
        if isinstance(old, cst.Try):
            body, said = _tried(old), []
        else:
            body, said = [], [line for line in comments_of(old) if line.comment]
        return [_with(begun[0], [*moved, *body], said, lock, is_async=_is_awaited(taking))]

    editor.statement(taking, lambda old: move(begun, old))
    for statement in inside[:-1]:
        editor.statement(statement, lambda old: move(moved, old))
    editor.statement(inside[-1], end)


def _is_awaited(taking: ast.stmt) -> bool:
    return isinstance(taking, ast.Expr) and isinstance(taking.value, ast.Await)


def _tried(old: cst.Try) -> list[Statement]:
    """What was tried, without the release at its end."""
    if old.handlers:
        return [old.with_changes(finalbody=None)]
    return unwrapped(old.body, lines_of(old))


def _with(
    taken: Statement, body: list[Statement], said: list[cst.EmptyLine], lock: ast.expr, *, is_async: bool
) -> Statement:
    assert isinstance(taken, cst.SimpleStatementLine)  # noqa: S101 - as the tree says
    first, *rest = body
    lines = lines_of(first)
    while lines and not lines[0].comment:
        lines = lines[1:]
    inner = cst.IndentedBlock(
        body=[first.with_changes(leading_lines=lines), *rest], header=taken.trailing_whitespace, footer=said
    )
    return cst.With(
        items=[cst.WithItem(cst.parse_expression(ast.unparse(lock)))],
        body=inner,
        asynchronous=cst.Asynchronous() if is_async else None,
        leading_lines=lines_of(taken),
    )
