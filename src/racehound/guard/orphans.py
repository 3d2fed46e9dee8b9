"""Locks whose holder is dead, and the children that inherited them.

`flock` belongs to the open file, and a child made by `fork` shares it. The children of this
library let go; those of a C extension, or of another program that locks the same file, do not. Then
the lock outlives its holder. Nobody can release it from outside, but the path can be given a fresh file.
"""

from __future__ import annotations

import os
import time
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass

from racehound.guard import kernel
from racehound.guard.explain import lock_held
from racehound.guard.holder import Holder, parse
from racehound.guard.lock_owners import LockOwner, lock_owners
from racehound.guard.lockfile import LockFile, Replaced, unavailable

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlocked:
    """What `force_unlock` found and did."""

    lock_file: str
    holder: Holder
    orphans: tuple[LockOwner, ...]
    """Live processes that inherited the lock of the dead one, as far as /proc shows them."""
    replaced: bool
    """Whether the path leads to a fresh file now; False if the lock was free anyway."""


def force_unlock(path: str, mode: int) -> Unlocked:
    try:
        with _alone_in(os.path.dirname(path)):
            return _force(path, mode)
    except OSError as error:
        raise unavailable(path, error) from error


@contextmanager
def _alone_in(directory: str) -> Iterator[None]:
    """One at a time, or the second would throw away the fresh file of the first."""
    fd = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        kernel.lock(fd)
        yield
    finally:
        os.close(fd)


def _force(path: str, mode: int) -> Unlocked:
    while True:
        with suppress(Replaced), closing(LockFile(path, mode)) as file:
            holder = parse(file.read_record())
            if file.try_lock(""):
                file.countersign()
                file.unlock()
                return Unlocked(lock_file=path, holder=holder, orphans=(), replaced=False)
            _refuse_unless_dead(file)
            orphans = lock_owners(file.identity)
            _replace(file, mode)
            return Unlocked(lock_file=path, holder=holder, orphans=orphans, replaced=True)


def _refuse_unless_dead(file: LockFile) -> None:
    data = file.read_record()
    if not parse(data).is_known_dead:
        raise lock_held(file.path, data, file.identity, waited_ms=0)


def _replace(file: LockFile, mode: int) -> None:
    """Give the path a fresh file, and the old one back if somebody got hold of it meanwhile.

    The fresh file stays locked until that is clear. The old file is marked before the path moves
    and its record read afterwards; who locks it signs first and looks for the mark afterwards. So
    at least one of the two notices the other, and never do two believe that they hold the lock.
    """
    unique = f"{file.path}.{os.getpid()}-{time.monotonic_ns()}"
    old, new = f"{unique}.old", f"{unique}.new"
    with closing(LockFile(new, mode)) as fresh:
        fresh.lock()
        os.link(file.path, old)
        try:
            file.mark(moved=True)
            os.rename(new, file.path)
            _refuse_unless_dead(file)
        except BaseException:
            os.rename(old, file.path)
            file.mark(moved=False)
            raise
        os.unlink(old)
