"""Bringing a name of the standard library into a module, in the style that the module already has."""

import ast
import sys
from dataclasses import dataclass

import libcst as cst

Line = cst.SimpleStatementLine | cst.BaseCompoundStatement


@dataclass(frozen=True, slots=True)
class Import:
    """How to say a name, and the import that must be added for it: none, `import m`, or `from m import name`."""

    expression: str
    statement: str = ""


def say(tree: ast.Module, module: str, name: str) -> Import:
    """The expression for `module.name`."""
    froms = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == module]
    for node in tree.body:
        for alias in node.names if isinstance(node, ast.Import) else ():
            if alias.name == module:
                return Import(f"{alias.asname or module}.{name}")
    for alias in (alias for node in froms for alias in node.names):
        if alias.name == name:
            return Import(alias.asname or name)
    plain = [node for node in froms if all(alias.name != "*" for alias in node.names)]
    if plain and name not in _bound_names(tree):
        return Import(name, f"from {module} import {name}")
    return Import(f"{module}.{name}", f"import {module}")


def _bound_names(tree: ast.Module) -> set[str]:
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)}


def add_import(module: cst.Module, statement: str) -> cst.Module:
    """The module with the import in its place among those that are there."""
    if statement.startswith("from "):
        _, name, _, item = statement.split()
        return module.with_changes(body=[_extend(line, name, item) for line in module.body])
    return _insert(module, statement)


def _extend(line: Line, module: str, name: str) -> Line:
    match line:
        case cst.SimpleStatementLine(
            body=[cst.ImportFrom(module=cst.Name(value=found), names=[*aliases]) as node]
        ):
            if found == module:
                return line.with_changes(body=[node.with_changes(names=_with_alias(aliases, name))])
    return line


def _with_alias(aliases: list[cst.ImportAlias], name: str) -> list[cst.ImportAlias]:
    before = [alias for alias in aliases if isinstance(alias.name, cst.Name) and alias.name.value < name]
    place = len(before) if aliases[: len(before)] == before else len(aliases)
    if place < len(aliases):
        new = cst.ImportAlias(cst.Name(name), comma=aliases[place].comma)
        if isinstance(new.comma, cst.MaybeSentinel):
            new = new.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
        return [*aliases[:place], new, *aliases[place:]]
    last = aliases[-1]
    trailing = last.comma
    comma = aliases[0].comma if len(aliases) > 1 else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    new = cst.ImportAlias(cst.Name(name), comma=trailing)
    return [*aliases[:-1], last.with_changes(comma=comma), new]


def _insert(module: cst.Module, statement: str) -> cst.Module:
    body = list(module.body)
    line = cst.parse_statement(statement)
    assert isinstance(line, cst.SimpleStatementLine)  # noqa: S101 - an import is one line
    start = _after_preamble(body)
    group = _first_group(body, start)
    if group and _is_standard(body[start]):
        place = _place_in_group(body[start : start + group], statement.split()[1]) + start
        body[place:place] = [line]
        if place == start:
            body[start] = line.with_changes(leading_lines=getattr(body[start + 1], "leading_lines", ()))
            body[start + 1] = body[start + 1].with_changes(leading_lines=())
        return module.with_changes(body=body)
    return _insert_alone(module, body, start, line)


def _insert_alone(module: cst.Module, body: list[Line], start: int, line: cst.SimpleStatementLine) -> cst.Module:
    blank = cst.EmptyLine(indent=False)
    if start:
        line = line.with_changes(leading_lines=[blank])
    body.insert(start, line)
    if start + 1 < len(body) and not getattr(body[start + 1], "leading_lines", ()):
        lines = [blank, blank] if isinstance(body[start + 1], cst.FunctionDef | cst.ClassDef) else [blank]
        body[start + 1] = body[start + 1].with_changes(leading_lines=lines)
    return module.with_changes(body=body)


def _after_preamble(body: list[Line]) -> int:
    """Behind the docstring and the imports from `__future__`."""
    place = 0
    for index, line in enumerate(body):
        match line:
            case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())]):
                place = index + 1 if index == 0 else place
            case cst.SimpleStatementLine(body=[cst.ImportFrom(module=cst.Name(value="__future__")), *_]):
                place = index + 1
    return place


def _first_group(body: list[Line], start: int) -> int:
    """How many imports follow each other without a blank line."""
    count = 0
    for line in body[start:]:
        lines = getattr(line, "leading_lines", ())
        if not imported_module(line) or (count and any(not empty.comment for empty in lines)):
            break
        count += 1
    return count


def imported_module(line: Line) -> str:
    """The module that an import line is about, or an empty text."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Import(names=[alias, *_]), *_]):
            return alias.evaluated_name
        case cst.SimpleStatementLine(body=[cst.ImportFrom(module=cst.Name(value=name), relative=[]), *_]):
            return name
        case cst.SimpleStatementLine(body=[cst.ImportFrom(module=cst.Attribute() as dotted, relative=[]), *_]):
            return cst.Module([]).code_for_node(dotted)
        case cst.SimpleStatementLine(body=[cst.ImportFrom(), *_]):
            return "."
    return ""


def _is_standard(line: Line) -> bool:
    return imported_module(line).partition(".")[0] in sys.stdlib_module_names


def _place_in_group(group: list[Line], name: str) -> int:
    """Before the first plain import that sorts after `name`, else behind the last plain import."""
    plain = [index for index, line in enumerate(group) if _is_plain(line)]
    later = [index for index in plain if imported_module(group[index]) > name]
    if later:
        return later[0]
    return plain[-1] + 1 if plain else 0


def _is_plain(line: Line) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Import)
