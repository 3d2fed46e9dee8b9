"""A copy of the sandbox to which it is brought back before each run.

Most of a tree is untouched by a command, so only what changed is copied. What did not change is recognised by
inode and change time, which no program can set. Clocks of file systems tick slowly: an entry that was written
within the last tick may change again without a trace in its times, and is compared by content instead.
"""

import os
import stat
import time
from dataclasses import dataclass
from pathlib import Path

from racehound.processes.attributes import attributes, bring_back
from racehound.processes.trees import copy_entry, make_accessible, remove

TICK = 50_000_000
"""Nanoseconds; the coarsest tick of the kernel is 10 ms."""


@dataclass(frozen=True, slots=True)
class Mark:
    inode: int
    mode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, found: os.stat_result) -> "Mark":
        return cls(found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


class Golden:
    """The kept state of `root`; `store` is a directory of its own for the copy.

    What is at a path in `passed` over, relative to the root, is never touched.
    """

    def __init__(self, root: Path, store: Path, passed: frozenset[str] = frozenset()) -> None:
        self._root = root
        self._store = store
        self._passed = frozenset(f"{root}/{path}" for path in passed)
        self._directories: dict[Path, tuple[int, int]] = {}
        self._attributes: dict[Path, dict[str, bytes]] = {}
        self._marks: dict[Path, Mark] = {}
        self._keep(root, store)

    def restore(self) -> None:
        """Content, modes, times, attributes, links and empty directories as they were kept."""
        self._restore(self._root, self._store)

    def _keep(self, directory: Path, copy: Path) -> None:
        found = directory.stat()
        self._directories[directory] = (stat.S_IMODE(found.st_mode), found.st_mtime_ns)
        self._attributes[directory] = attributes(directory)
        make_accessible(directory)
        copy.mkdir(mode=0o700)
        for entry in self._entries(directory):
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                self._keep(path, copy / entry.name)
            else:
                copy_entry(path, copy / entry.name)
                self._mark(path)
        self._settle(directory)

    def _restore(self, directory: Path, copy: Path) -> None:
        make_accessible(directory)
        wanted = {entry.name: entry for entry in os.scandir(copy)}
        present = {entry.name: entry for entry in self._entries(directory)}
        for name in present.keys() - wanted.keys():
            remove(directory / name)
        for name, entry in wanted.items():
            path = directory / name
            if entry.is_dir(follow_symlinks=False):
                self._make_directory(path, present.get(name))
                self._restore(path, copy / name)
            elif not self._is_kept(path, copy / name):
                self._replace(path, copy / name)
        self._settle(directory)

    def _entries(self, directory: Path) -> "list[os.DirEntry[str]]":
        return [entry for entry in os.scandir(directory) if entry.path not in self._passed]

    def _make_directory(self, path: Path, found: "os.DirEntry[str] | None") -> None:
        if found is not None and not found.is_dir(follow_symlinks=False):
            remove(path)
            found = None
        if found is None:
            path.mkdir(mode=0o700)

    def _settle(self, directory: Path) -> None:
        bring_back(directory, self._attributes[directory])
        mode, modified = self._directories[directory]
        found = directory.stat()
        if stat.S_IMODE(found.st_mode) != mode:
            directory.chmod(mode)
        if found.st_mtime_ns != modified:
            os.utime(directory, ns=(found.st_atime_ns, modified))

    def _is_kept(self, path: Path, copy: Path) -> bool:
        try:
            found = Mark.of(path.lstat())
        except FileNotFoundError:
            return False
        if self._marks.get(path) == found:
            return True
        if _is_same(path, copy):
            self._mark(path)
            return True
        return False

    def _replace(self, path: Path, copy: Path) -> None:
        if os.path.lexists(path):
            remove(path)
        copy_entry(copy, path)
        self._mark(path)

    def _mark(self, path: Path) -> None:
        """Remembers the entry if a further change would show in its times."""
        self._marks.pop(path, None)
        found = path.lstat()
        if time.time_ns() - found.st_ctime_ns > TICK:
            self._marks[path] = Mark.of(found)


def _is_same(path: Path, copy: Path) -> bool:
    here, kept = path.lstat(), copy.lstat()
    if (here.st_mode, here.st_size, here.st_mtime_ns) != (kept.st_mode, kept.st_size, kept.st_mtime_ns):
        return False
    if attributes(path) != attributes(copy):
        return False
    if stat.S_ISLNK(here.st_mode):
        return path.readlink() == copy.readlink()
    return not stat.S_ISREG(here.st_mode) or path.read_bytes() == copy.read_bytes()
