"""The modules of a large package that one of its modules is made of.

To rewrite a package of fifty thousand lines takes seconds, and most of them have nothing to do with the class that
a proof is about: they are imported because the package itself imports all of its parts. Those that matter are the
ones that the module imports in its own right, and those that they import. The rest runs as it is, like any other
library, and where it does something to what is shared the verdict says so.
"""

import ast
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

LARGE = 1_000_000
"""Bytes of source; a third of them takes about half a second to rewrite."""


def is_large(package: Path) -> bool:
    """Whether there is more source below a directory than is rewritten for one proof."""
    return package.is_dir() and sum(path.stat().st_size for path in package.rglob("*.py")) > LARGE


def imported_from(path: Path, package: Path) -> frozenset[Path]:
    """The files of a package that one of its modules needs, itself included.

    What the package as a whole imports does not count, nor what functions import when they are called.
    """
    found: set[Path] = set()
    left = [path]
    while left:
        current = left.pop()
        if current not in found:
            found.add(current)
            is_whole = current == package / "__init__.py" and current != path
            left.extend(() if is_whole else _imports_of(current, package))
    return frozenset(found)


def _imports_of(path: Path, package: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return
    for name in _names_in(tree.body, _name_of(path.parent, package)):
        parts = name.split(".")
        if parts[0] == package.name:
            yield from _files_of(package.joinpath(*parts[1:]), package)


def _files_of(place: Path, package: Path) -> Iterator[Path]:
    """The file of the module of that name, or of the one in which something of that name is."""
    places = (place, place.parent) if place != package else (place,)
    candidates = (file for each in places for file in (each.with_suffix(".py"), each / "__init__.py"))
    return islice((file for file in candidates if file.is_file()), 1)


def _name_of(directory: Path, package: Path) -> str:
    return ".".join((package.name, *directory.relative_to(package).parts))


def _names_in(body: list[ast.stmt], home: str) -> Iterator[str]:
    """What statements import that run when the module does; `home` is the package that it is in."""
    for statement in body:
        match statement:
            case ast.Import():
                yield from (alias.name for alias in statement.names)
            case ast.ImportFrom():
                base = _base_of(statement, home)
                yield from (f"{base}.{alias.name}" if alias.name != "*" else base for alias in statement.names)
            case ast.If(test=test) if "TYPE_CHECKING" in ast.unparse(test):
                yield from _names_in(statement.orelse, home)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                pass
            case _:
                yield from _names_in(list(_within(statement)), home)


def _within(node: ast.AST) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from child.body


def _base_of(statement: ast.ImportFrom, home: str) -> str:
    if not statement.level:
        return statement.module or ""
    outer = home.split(".")[: len(home.split(".")) - statement.level + 1]
    return ".".join([*outer, *([statement.module] if statement.module else [])])
