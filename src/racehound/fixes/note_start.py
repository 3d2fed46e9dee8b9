"""Whoever starts a thread or a task notes that it runs, just before: what is started would do so too late."""

import ast
from collections.abc import Iterator, Sequence
from typing import ClassVar

from racehound.fixes.editing.editor import Editor, lines_of, parsed, preceded
from racehound.fixes.editing.reading import Reading
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding

_STARTS = frozenset({"create_task", "ensure_future", "map", "start", "start_soon", "submit"})


class NoteStart(Transformation):
    """Between threads the look and the note need a lock as well; tasks wait for each other there."""

    rules: ClassVar[frozenset[str]] = frozenset({"RH120"})
    wants_lock: bool = True

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        finding = findings[0]
        flag, value = _note(reading, finding.second.location.line)
        statement = _start(reading, _look(reading, finding.first.location.line, flag))
        editor = Editor(reading)
        note = parsed(f"{flag} = {value}\n")
        editor.statement(
            statement,
            lambda old: [preceded(note, lines_of(old)), old.with_changes(leading_lines=())],
        )
        name = reading.function(statement).name
        return Change(editor.text(), f"`{name}` sets `{flag}` before it starts what does so")


def _note(reading: Reading, line: int) -> tuple[str, str]:
    """What is set, and to what."""
    for node in ast.walk(reading.tree):
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name()) as flag], value=ast.Constant() as value):
                if node.lineno == line and value.value:
                    return ast.unparse(flag), ast.unparse(value)
    raise CannotChange("what is noted is no plain value that could be noted before")


def _look(reading: Reading, line: int, flag: str) -> ast.If:
    looks = (node for node in ast.walk(reading.tree) if isinstance(node, ast.If))
    for look in looks:
        is_there = look.test.lineno <= line <= (look.test.end_lineno or 0)
        if is_there and any(ast.unparse(inner) == flag for inner in ast.walk(look.test)):
            return look
    raise CannotChange("the look is no plain `if`")


def _start(reading: Reading, look: ast.If) -> ast.stmt:
    """The one statement that starts something: in the block, or behind it where the block leaves the function."""
    leaves = isinstance(look.body[-1], ast.Return | ast.Raise)
    block = reading.block(look)
    behind = block[block.index(look) + 1 :] if leaves else look.body
    found = [statement for statement in behind if any(_starts(statement))]
    if len(found) != 1:
        raise CannotChange("the look does not lead to one start")
    reading.block(found[0])
    return found[0]


def _starts(statement: ast.stmt) -> Iterator[ast.AST]:
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _STARTS:
                yield node
