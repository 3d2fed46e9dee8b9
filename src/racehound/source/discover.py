"""From the paths a person names to the files worth reading."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

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


def discover(paths: Sequence[str | Path]) -> tuple[Path, ...]:
    """Every Python file below `paths`, each once, in a fixed order; a file that is named is taken as it is."""
    found: dict[str, Path] = {}
    for path in map(Path, paths):
        for file in _files(path):
            found.setdefault(os.path.realpath(file), file)
    return tuple(sorted(found.values(), key=lambda file: file.as_posix()))


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from _walk(path)
    else:
        raise UsageError(f"no such file or directory: {path}", hint="name a Python file or a directory")


def _walk(root: Path) -> Iterator[Path]:
    for directory, below, names in os.walk(root):
        below[:] = sorted(name for name in below if name not in SKIPPED_DIRECTORIES and not name.startswith("."))
        for name in names:
            if name.endswith(SUFFIXES):
                yield Path(directory, name)
