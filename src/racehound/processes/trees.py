"""Removing and copying what commands left, whatever its modes and kinds."""

import os
import shutil
import stat
from pathlib import Path


def remove(path: Path) -> None:
    """A file or a whole tree, also one whose directories cannot be written to."""
    if stat.S_ISDIR(path.lstat().st_mode):
        empty_directory(path)
        path.rmdir()
    else:
        path.unlink()


def empty_directory(directory: Path) -> None:
    make_accessible(directory)
    for entry in list(os.scandir(directory)):
        remove(Path(entry.path))


def make_accessible(directory: Path) -> None:
    mode = directory.stat().st_mode
    if mode & 0o700 != 0o700:
        directory.chmod(stat.S_IMODE(mode) | 0o700)


def copy_entry(source: Path, target: Path) -> None:
    """A file, link or pipe with its mode and times. A socket means nothing without its owner and is left out."""
    mode = source.lstat().st_mode
    if stat.S_ISREG(mode) or stat.S_ISLNK(mode):
        shutil.copy2(source, target, follow_symlinks=False)
    elif stat.S_ISFIFO(mode):
        os.mkfifo(target, stat.S_IMODE(mode))
        shutil.copystat(source, target)
