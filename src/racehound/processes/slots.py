"""Places for sandboxes: numbered directories, each locked for as long as its owner lives.

The lowest free number is taken, so that one audit after the other finds the same absolute path, and what tools
derive from it (hashes in the names of lock files) is the same as well. The kernel drops the lock of an owner that
was killed; whoever comes next removes what it left.
"""

import fcntl
import os
import stat
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path

from racehound.processes.sweeping import sweep
from racehound.processes.trees import empty_directory, remove

BOX = "box"


class Slot:
    """A directory of our own. `lock` may be handed to a process that is to hold the place as well."""

    def __init__(self, directory: Path, lock: int) -> None:
        self.directory = directory
        self.lock = lock

    @property
    def box(self) -> Path:
        """Where commands run."""
        return self.directory / BOX

    def release(self) -> None:
        """Removes the directory before the lock: nobody else may find it half removed.

        Where it is gone already, its path may lead to the place of somebody else by now.
        """
        if _is_still(self.directory, self.lock):
            remove(self.directory)
        os.close(self.lock)
        remove_if_empty(self.directory.parent)


def take_slot(base: Path | None = None) -> Slot:
    """The first free place, empty."""
    base = base or base_directory()
    prune(base)
    for number in count():
        slot = _try_slot(base / str(number))
        if slot is not None:
            return slot
    raise AssertionError  # pragma: no cover - count() has no end


def prune(base: Path) -> None:
    """Removes what killed owners left."""
    for entry in sorted(base.glob("[0-9]*")):
        slot = _try_slot(entry)
        if slot is not None:
            slot.release()


def base_directory() -> Path:
    """A directory that belongs to us alone; a stranger's under our name is not used."""
    base = Path(tempfile.gettempdir()).resolve() / f"racehound-{os.getuid()}"
    try:
        base.mkdir(mode=0o700)
    except FileExistsError:
        with suppress(FileNotFoundError):  # the last one who used it has removed it; it is made again when needed
            found = base.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
                return Path(tempfile.mkdtemp(prefix="racehound-")).resolve()
    return base


def remove_if_empty(directory: Path) -> None:
    try:
        directory.rmdir()
    except OSError:  # another sandbox is in it
        return


def _try_slot(directory: Path) -> Slot | None:
    """The slot if it is free. A directory that was removed or replaced while we waited for nothing is not it."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    if _locks(lock) and _is_still(directory, lock) and _can_be_emptied(directory):
        return Slot(directory, lock)
    os.close(lock)
    return None


def _can_be_emptied(directory: Path) -> bool:
    """What nobody can remove, such as a file with the flag that forbids it, spoils one place and not all."""
    box = directory / BOX
    if box.exists():
        sweep(box)
    try:
        empty_directory(directory)
    except OSError:
        return False
    return True


def _locks(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(directory: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(directory.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
