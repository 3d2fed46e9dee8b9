"""Removing and copying what commands left, whatever its modes and kinds."""

import errno
import os
import shutil
import stat
from pathlib import Path


def remove(path: Path) -> None:
    """A file or a whole tree, also one whose directories cannot be written to, however deep it is."""
    try:
        _remove(path)
    except RecursionError:
        _remove_level_by_level(path)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        _remove_level_by_level(path)


def empty_directory(directory: Path) -> None:
    make_accessible(directory)
    for entry in list(os.scandir(directory)):
        remove(Path(entry.path))


def _remove(path: Path) -> None:
    if stat.S_ISDIR(path.lstat().st_mode):
        make_accessible(path)
        for entry in list(os.scandir(path)):
            _remove(Path(entry.path))
        path.rmdir()
    else:
        path.unlink()


def _remove_level_by_level(path: Path) -> None:
    """A program that goes down as it makes directories makes paths that no call takes.

    So what lies in a directory of the tree is moved to its top, until the top has no directories any more.
    """
    top = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        while names := os.listdir(top):  # noqa: PTH208 - a descriptor has no path
            for name in names:
                if _is_file_removed(name, top):
                    continue
                directory = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
                try:
                    _empty_into(top, directory)
                finally:
                    os.close(directory)
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)
    path.rmdir()


def _empty_into(top: int, directory: int) -> None:
    for name in os.listdir(directory):
        if not _is_file_removed(name, directory):
            os.rename(name, os.urandom(8).hex(), src_dir_fd=directory, dst_dir_fd=top)


def _is_file_removed(name: str, directory: int) -> bool:
    """False for a directory, which can be entered and emptied then."""
    mode = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    if not stat.S_ISDIR(mode):
        os.unlink(name, dir_fd=directory)
        return True
    if mode & 0o700 != 0o700:
        os.chmod(name, stat.S_IMODE(mode) | 0o700, dir_fd=directory)
    return False


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
