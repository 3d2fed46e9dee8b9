"""Putting statements into a block, and taking them out of one."""

import ast
from collections.abc import Sequence

import libcst as cst

from racehound.fixes.editing.editor import Editor, Statement, comments_of, lines_of, preceded
from racehound.fixes.editing.reading import Reading
from racehound.fixes.locking.rewrite import as_block
from racehound.fixes.transformation import CannotChange


def unwrapped(block: cst.BaseSuite, before: Sequence[cst.EmptyLine]) -> list[Statement]:
    """The statements of a block, without what stood around them; its comments come before the first one."""
    inner = as_block(block)
    comment = [cst.EmptyLine(comment=inner.header.comment)] if inner.header.comment else []
    first, *rest = [_statement(item) for item in inner.body]
    return [first.with_changes(leading_lines=[*before, *comment, *lines_of(first)]), *rest]


def _statement(item: object) -> Statement:
    assert isinstance(item, cst.BaseStatement)  # noqa: S101 - a block on lines of its own has no others
    return item


def wrapped(
    expression: str,
    statements: Sequence[Statement],
    *,
    before: Sequence[cst.EmptyLine] = (),
    is_async: bool = False,
) -> cst.With:
    """A `with` statement around the statements."""
    return cst.With(
        items=[cst.WithItem(cst.parse_expression(expression))],
        body=cst.IndentedBlock(body=list(statements)),
        asynchronous=cst.Asynchronous() if is_async else None,
        leading_lines=list(before),
    )


def without_statement(reading: Reading, editor: Editor, statement: ast.stmt) -> None:
    """Takes a statement away that is not the last of its block; its comments are kept by the next one."""
    block = reading.block(statement)
    following = block[block.index(statement) + 1 :]
    if not following:
        raise CannotChange("the statement that would have to go is the last of its block")
    kept: list[cst.EmptyLine] = []

    def remove(old: Statement) -> list[Statement]:
        kept.extend(comments_of(old))
        return []

    editor.statement(statement, remove)
    editor.statement(following[0], lambda old: [preceded(old, kept)])
