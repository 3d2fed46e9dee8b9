"""Directories of sessions: made for the user alone, in use while somebody has them locked.

Every process of a session holds a shared lock on a file in its directory. So a directory
whose file can be locked exclusively belongs to no live process, and a crash, even by SIGKILL,
needs no record to be noticed. It is renamed away under that lock before it is deleted; a process
that joins the session at that moment finds its locked file gone and makes the directory anew.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from racehound.guard import kernel
from racehound.guard.errors import PERMISSION_DENIED, SessionRefused

_IN_USE = ".in-use"
_KEPT = ".kept"
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


def make_private(directory: str) -> None:
    """Make a directory for the user alone, or refuse the one that somebody else put there."""
    try:
        os.mkdir(directory, 0o700)
    except FileExistsError:
        _refuse_foreign(directory)
        return
    except OSError as error:
        raise _refused(directory, error.strerror or "unknown reason") from error
    os.chmod(directory, 0o700)


def _refuse_foreign(directory: str) -> None:
    status = os.lstat(directory)
    if not stat.S_ISDIR(status.st_mode):
        raise _refused(directory, "it is not a directory")
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise _refused(directory, "it belongs to another user")
    if stat.S_IMODE(status.st_mode) & 0o077:
        os.chmod(directory, 0o700)


def _refused(directory: str, reason: str) -> SessionRefused:
    return SessionRefused(
        f"The directory {directory} cannot hold sessions: {reason}",
        exit_status=PERMISSION_DENIED,
        suggestion="Remove it, or set TMPDIR to a directory of your own",
        detail=f"directory={directory}",
    )


def join(directory: str) -> int:
    """Make the directory if need be and use it; returns the descriptor that says so."""
    while True:
        try:
            make_private(directory)
        except FileNotFoundError:  # pruned between two steps of making it
            continue
        fd = _in_use_file(directory)
        if fd is not None:
            if kernel.try_share(fd) and _is_in(directory, fd):
                return fd
            os.close(fd)


def _in_use_file(directory: str) -> int | None:
    try:
        return os.open(os.path.join(directory, _IN_USE), _FLAGS, 0o600)
    except FileNotFoundError:
        return None


def _is_in(directory: str, fd: int) -> bool:
    try:
        found = os.stat(os.path.join(directory, _IN_USE))
    except FileNotFoundError:
        return False
    return os.path.samestat(found, os.fstat(fd))


def leave(directory: str, fd: int, *, keep: bool) -> None:
    """Stop using the directory, and remove it if nobody else uses it."""
    try:
        if keep:
            os.close(os.open(os.path.join(directory, _KEPT), _FLAGS, 0o600))
        elif kernel.try_lock(fd) and _is_in(directory, fd):
            _remove(directory)
    finally:
        os.close(fd)


def prune(base: str) -> None:
    """Remove what sessions left behind whose processes are all dead."""
    for name in os.listdir(base):
        with suppress(OSError):  # somebody else is pruning it, or it is no directory
            _remove_if_stale(os.path.join(base, name))


def _remove_if_stale(directory: str) -> None:
    if os.path.lexists(os.path.join(directory, _KEPT)):
        return
    fd = os.open(os.path.join(directory, _IN_USE), _FLAGS, 0o600)
    try:
        if kernel.try_lock(fd) and _is_in(directory, fd):
            _remove(directory)
    finally:
        os.close(fd)


def _remove(directory: str) -> None:
    from shutil import rmtree  # noqa: PLC0415 - slow to load, and needed at the end only

    doomed = f"{directory}.{os.urandom(4).hex()}.gone"
    os.rename(directory, doomed)
    rmtree(doomed, ignore_errors=True)
