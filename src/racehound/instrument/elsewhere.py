"""Files that a program names by an absolute path, in the places where programs keep such for a while.

A proof may change files of its own directory only, and `/tmp/tool.pid` is not below it. There such a path is taken
for one of the same name in that directory, as long as nothing of this name exists: what is there may be needed.
"""

import ast
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

VARIABLE: Final = "RACEHOUND_SCRATCH"
"""Names the directory of a proof; without it nothing is moved."""
PLACES: Final = ("/tmp/", "/var/tmp/", "/var/run/", "/run/", "/var/lock/", "/dev/shm/")  # noqa: S108 - these are looked for
_LONGEST: Final = 200


def moved(tree: ast.Module) -> ast.Module:
    """The same module with other paths."""
    root = os.environ.get(VARIABLE)
    if root:
        for node in _texts(tree):
            node.value = _elsewhere(str(node.value), root)
    return tree


def _texts(tree: ast.AST) -> Iterable[ast.Constant]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(PLACES)
    ]


@cache
def _elsewhere(text: str, root: str) -> str:
    place = next(place for place in PLACES if text.startswith(place))
    rest = text.removeprefix(place)
    is_there = Path(text).exists() or ("/" in rest and Path(text).parent.is_dir())
    if not rest or len(text) > _LONGEST or any(letter.isspace() for letter in rest) or is_there:
        return text
    return f"{root}/{rest}"
