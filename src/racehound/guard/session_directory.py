"""Directories of sessions: made for the user alone, in use while somebody has them locked.

Every process of a session holds a shared lock on a file in its directory. So a directory
whose file can be locked exclusively belongs to no live process, and a crash, even by SIGKILL,
needs no record to be noticed. It is renamed away under that lock before it is deleted; a process
that joins the session at that moment finds its locked file gone and makes the directory anew.

The base may be any directory of the user, with anything in it. So what has no such file was made by somebody
else: it is neither joined nor removed.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from racehound.guard import kernel
from racehound.guard.errors import PERMISSION_DENIED, SessionRefused

_IN_USE = ".in-use"
_KEPT = ".kept"
_FLAGS = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_CREATE = _FLAGS | os.O_CREAT
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_RANDOM_ID = "run-"
_DOOMED = ".gone"
_HEX = frozenset("0123456789abcdef")


def make_base(directory: str) -> None:
    """Make or accept a place that the caller chose. It is not ours alone, so it keeps its permissions.

    Only the right of others to write is taken away, since they could put another directory in place of
    a session's; not in a place for all, whose sticky bit forbids that.
    """
    try:
        _make(directory)
    except FileExistsError:
        mode = stat.S_IMODE(_checked(directory).st_mode)
        if mode & _OTHERS_WRITE and not mode & stat.S_ISVTX:
            os.chmod(directory, mode & ~_OTHERS_WRITE)


def make_private(directory: str) -> None:
    """Make a directory for the user alone, or refuse the one that somebody else put there."""
    try:
        _make(directory)
    except FileExistsError:
        if stat.S_IMODE(_checked(directory).st_mode) & 0o077:
            os.chmod(directory, 0o700)


def _make(directory: str) -> None:
    try:
        os.mkdir(directory, 0o700)
    except FileExistsError:
        raise
    except OSError as error:
        raise _refused(directory, error.strerror or "unknown reason") from error
    os.chmod(directory, 0o700)


def _checked(directory: str) -> os.stat_result:
    status = os.lstat(directory)
    if not stat.S_ISDIR(status.st_mode):
        raise _refused(directory, "it is not a directory")
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise _refused(directory, "it belongs to another user")
    return status


def _refused(directory: str, reason: str) -> SessionRefused:
    return SessionRefused(
        f"The directory {directory} cannot hold sessions: {reason}",
        exit_status=PERMISSION_DENIED,
        suggestion="Remove it, or give the session another id or base (TMPDIR)",
        detail=f"directory={directory}",
    )


def join(directory: str) -> int:
    """Make the directory if need be and use it; returns the descriptor that says so."""
    while True:
        try:
            make_private(directory)
            _refuse_what_no_session_made(directory)
        except FileNotFoundError:  # pruned between two steps of making it
            continue
        fd = _in_use_file(directory)
        if fd is not None:
            if kernel.try_share(fd) and _is_in(directory, fd):
                return fd
            os.close(fd)


def _refuse_what_no_session_made(directory: str) -> None:
    """The directory goes with its last session, and all that is in it."""
    names = os.listdir(directory)
    if names and _IN_USE not in names:
        raise _refused(directory, "there are files in it that no session made")


def _in_use_file(directory: str) -> int | None:
    try:
        return os.open(os.path.join(directory, _IN_USE), _CREATE, 0o600)
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
            os.close(os.open(os.path.join(directory, _KEPT), _CREATE, 0o600))
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
    try:
        fd = os.open(os.path.join(directory, _IN_USE), _FLAGS)
    except FileNotFoundError:
        _remove_if_unfinished(directory)
        return
    try:
        if kernel.try_lock(fd) and _is_in(directory, fd):
            _remove(directory)
    finally:
        os.close(fd)


def _remove_if_unfinished(directory: str) -> None:
    """Whoever made or removed it died between two steps."""
    name = os.path.basename(directory)
    if name.startswith(_RANDOM_ID) and _is_hex(name.removeprefix(_RANDOM_ID), 16):
        os.rmdir(directory)  # fails where there is anything in it
    elif name.endswith(_DOOMED) and _is_hex(name.removesuffix(_DOOMED).rpartition(".")[2], 8):
        _delete(directory)


def _is_hex(text: str, length: int) -> bool:
    return len(text) == length and set(text) <= _HEX


def _remove(directory: str) -> None:
    doomed = f"{directory}.{os.urandom(4).hex()}{_DOOMED}"
    os.rename(directory, doomed)
    _delete(doomed)


def _delete(directory: str) -> None:
    from shutil import rmtree  # noqa: PLC0415 - slow to load, and needed at the end only

    rmtree(directory, ignore_errors=True)
