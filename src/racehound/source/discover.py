"""From the paths a person names to the files worth reading."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from racehound.errors import UsageError

SKIPPED_DIRECTORIES = frozenset(
    {
        "__pycache__",
        "__pypackages__",
        "build",
        "dist",
        "node_modules",
        "site-packages",
        "venv",
    }
)
SUFFIXES = (".py", ".pyw")
Name = TypeVar("Name", str, Path)
HINT = "name a Python file or a directory"


def discover(paths: Sequence[str | Path]) -> tuple[Path, ...]:
    """Every Python file below `paths`, each once, in a fixed order; a file that is named is taken as it is."""
    found: dict[str, Path] = {}
    for path in map(Path, paths):
        for file in _files(path):
            found.setdefault(os.path.realpath(file), file)
    return tuple(sorted(found.values(), key=lambda file: file.as_posix()))


def complaints(paths: Iterable[Name]) -> dict[Name, UsageError]:
    """The paths that `discover` would complain of, each with its complaint."""
    judged = ((path, _complaint(Path(path))) for path in paths)
    return {path: complaint for path, complaint in judged if complaint}


def _complaint(path: Path) -> UsageError | None:
    if path.is_file() or path.is_dir():
        return None
    if path.exists():
        return UsageError(f"{path} is neither a regular file nor a directory", hint=HINT)
    return UsageError(f"no such file or directory: {path}", hint=HINT)


def _files(path: Path) -> Iterator[Path]:
    if complaint := _complaint(path):
        raise complaint
    if path.is_dir():
        yield from _walk(path)
    else:
        yield path


def _walk(root: Path) -> Iterator[Path]:
    for directory, below, names in os.walk(root):
        below[:] = sorted(name for name in below if name not in SKIPPED_DIRECTORIES and not name.startswith("."))
        for name in names:
            path = Path(directory, name)
            # A pipe would be waited for; a link to nothing is for the reader to complain of.
            if name.endswith(SUFFIXES) and (path.is_file() or not path.exists()):
                yield path
