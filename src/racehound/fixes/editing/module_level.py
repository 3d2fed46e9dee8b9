"""What a transformation adds to the module: an import, or a line behind the imports."""

import ast
import re

import libcst as cst

from racehound.fixes.editing.blocks import without_statement
from racehound.fixes.editing.editor import Editor, lines_of, parsed
from racehound.fixes.editing.reading import Reading
from racehound.fixes.locking.imports import Import, Line, add_import

BLANK = cst.EmptyLine(indent=False)


def with_imports(source: str, *imports: Import) -> str:
    module = cst.parse_module(source)
    for needed in imports:
        module = add_import(module, needed.statement) if needed.statement else module
    return module.code


def without_import(source: str, name: str) -> str:
    """Without the line that imports a module which nothing speaks of any more."""
    reading = Reading(source)
    lines = [line for line in reading.tree.body if _imports_only(line, name)]
    if len(lines) != 1 or len(re.findall(rf"\b{name}\b", source)) > 1:  # also in comments and quoted annotations
        return source
    editor = Editor(reading)
    without_statement(reading, editor, lines[0])
    return editor.text()


def _imports_only(line: ast.stmt, name: str) -> bool:
    match line:
        case ast.Import(names=[ast.alias(name=found, asname=None)]):
            return found == name
    return False


def with_line_behind_imports(source: str, text: str, comment: str) -> str:
    """The line, and what it is for, behind the imports at the top of the module."""
    module = cst.parse_module(source)
    body = list(module.body)
    place = _behind_imports(body)
    lines = [cst.EmptyLine(indent=False, comment=cst.Comment(f"# {comment}"))]
    statement = parsed(text).with_changes(leading_lines=[BLANK, *lines] if place else lines)
    body.insert(place, statement)  # type: ignore[arg-type]  # a line, for the text is one
    if place + 1 < len(body):
        body[place + 1] = _set_off(body[place + 1])
    return module.with_changes(body=body).code


def _set_off(line: Line) -> Line:
    """At least one blank line before it, two before a definition."""
    before = lines_of(line)
    blank = next((index for index, item in enumerate(before) if item.comment), len(before))
    wanted = 2 if isinstance(line, cst.FunctionDef | cst.ClassDef) else 1
    return line.with_changes(leading_lines=[*[BLANK] * max(0, wanted - blank), *before])


def _behind_imports(body: list[Line]) -> int:
    """Behind the last import that stands before the first definition; at least behind the docstring."""
    place = 0
    for index, line in enumerate(body):
        match line:
            case cst.SimpleStatementLine(body=[cst.Import() | cst.ImportFrom(), *_]):
                place = index + 1
            case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())]):
                place = place or index + 1
            case cst.FunctionDef() | cst.ClassDef():
                break
    return place
