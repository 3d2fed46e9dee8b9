"""Extended attributes of files and directories, those that any program may set."""

import os
from pathlib import Path

SPACE = "user."


def attributes(path: Path) -> dict[str, bytes]:
    """None where the system or the file system knows none."""
    if not hasattr(os, "listxattr"):  # pragma: no cover - Linux alone offers them to Python
        return {}
    try:
        names = os.listxattr(path, follow_symlinks=False)
        return {name: os.getxattr(path, name) for name in sorted(names) if name.startswith(SPACE)}
    except OSError:
        return {}


def bring_back(path: Path, wanted: dict[str, bytes]) -> None:
    present = attributes(path)
    for name in present.keys() - wanted.keys():
        os.removexattr(path, name)
    for name, value in wanted.items():
        if present.get(name) != value:
            os.setxattr(path, name, value)
