"""Names that a file has from elsewhere: a package often offers what one of its modules defines."""

import ast
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
DEEPEST: Final = 8
"""Files on the way from a name to its definition."""


def definitions_in(scope: Sequence[ast.stmt]) -> dict[str, Definition]:
    """Also those under a condition or inside a `try`; the last one counts."""
    found: dict[str, Definition] = {}
    for node in scope:
        if isinstance(node, Definition):
            found[node.name] = node
        for branch in ("body", "orelse", "handlers", "finalbody"):
            if isinstance(node, ast.If | ast.Try | ast.With | ast.ExceptHandler):
                found.update(definitions_in(getattr(node, branch, ())))
    return found


def where_defined(path: Path, name: str) -> tuple[Path, str]:
    """The file that defines what `path` calls by a name, and its name there; as given where that is not found."""
    first, dot, rest = name.partition(".")
    found = _follow(path, first, DEEPEST)
    return (path, name) if found is None else (found[0], f"{found[1]}{dot}{rest}")


def _follow(path: Path, name: str, steps: int) -> tuple[Path, str] | None:
    tree = _tree(path)
    if tree is None or steps == 0:
        return None
    if name in definitions_in(tree.body):
        return path, name
    ways = (_follow(file, other, steps - 1) for file, other in _imported(path, tree, name))
    return next((found for found in ways if found is not None), None)


def _tree(path: Path) -> ast.Module | None:
    try:
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None


def _imported(path: Path, tree: ast.Module, name: str) -> Iterator[tuple[Path, str]]:
    """The files that a name may come from, and what it is called there."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        for alias in node.names:
            if (alias.asname or alias.name) == name or alias.name == "*":
                other = name if alias.name == "*" else alias.name
                yield from ((file, other) for file in _files(path, node))


def _files(path: Path, node: ast.ImportFrom) -> Iterator[Path]:
    """The files of a module that is imported: relative to a file, or from the top of its package."""
    parents = path.resolve().parents
    tops = [parents[node.level - 1]] if node.level else list(parents[:DEEPEST])
    for top in tops:
        place = top.joinpath(*(node.module or "").split("."))
        yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if os.path.isfile(file))  # noqa: PTH113 - does not raise
