"""Replace a file so that everybody sees the old content or the new, even after a crash.

A temporary file in the same directory gets the content and reaches the disk before it takes
the name; then the directory reaches the disk. Every step before the rename leaves the old file as it was.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

from racehound.guard import temporaries
from racehound.guard.errors import PERMISSION_DENIED, WriteFailed

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    class Readable(Protocol):
        def read(self, size: int, /) -> str | bytes: ...

    Content = str | bytes | bytearray | memoryview | Readable | Iterable[str | bytes]

_CHUNK = 1 << 20
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_SUGGESTIONS = {
    errno.ENOSPC: "Free space on the disk and try again",
    errno.EDQUOT: "Free space below your quota and try again",
    errno.EROFS: "Choose a path on a writable file system",
    errno.EACCES: "Get write permission for the directory, not only for the file",
    errno.ENOENT: "Create the directory first",
}


def atomic_write(
    path: str | os.PathLike[str], content: Content, *, mode: int | None = None, encoding: str = "utf-8"
) -> None:
    """Write text, bytes, or all that a stream or iterable yields.

    Args:
        path: A symbolic link is followed; what it leads to is replaced if it is a file, and refused otherwise.
        content: Text is encoded, bytes are taken as they are.
        mode: Permissions of the result; by default those of the old file, 0600 for a new one.
        encoding: For text.

    Raises:
        WriteFailed: if the file system refuses; the message says whether the old file is as it was.
    """
    replace(path, _chunks(content, encoding), mode=mode)


def replace(
    path: str | os.PathLike[str],
    chunks: Iterable[bytes],
    *,
    mode: int | None = None,
    before_rename: Callable[[], None] | None = None,
) -> None:
    """As `atomic_write`; what `before_rename` raises leaves the old file, too."""
    target = os.path.realpath(path)
    try:
        _refuse_what_is_no_file(target)
        temporaries.prune_once(os.path.dirname(target))
        temporary = temporaries.name_for(target)
        try:
            _fill(temporary, chunks, target, mode)
            if before_rename is not None:
                before_rename()
            os.replace(temporary, target)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise write_failed(target, error) from error
    try:
        _sync_directory(os.path.dirname(target))
    except OSError as error:
        raise write_failed(target, error, "the new content is there, and a power cut may undo it") from error


def _refuse_what_is_no_file(target: str) -> None:
    """A rename would put a file in place of the device: root would lose /dev/null to `--output /dev/null`."""
    try:
        kind = os.stat(target).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(kind):
        raise OSError(errno.EINVAL, "it is a device, a pipe or a socket, which nothing can replace")


def _chunks(content: Content, encoding: str) -> Iterator[bytes]:
    if isinstance(content, str):
        yield content.encode(encoding)
    elif isinstance(content, (bytes, bytearray, memoryview)):
        yield bytes(content)
    else:
        for piece in _pieces(content):
            yield piece.encode(encoding) if isinstance(piece, str) else piece


def _pieces(content: Readable | Iterable[str | bytes]) -> Iterator[str | bytes]:
    read = getattr(content, "read", None)
    if read is None:
        yield from content  # type: ignore[misc]  # what has no read() is an iterable
        return
    while piece := read(_CHUNK):
        yield piece


def _fill(temporary: str, chunks: Iterable[bytes], target: str, mode: int | None) -> None:
    fd = os.open(temporary, _NEW_FILE, 0o600)
    try:
        for chunk in chunks:
            _write_all(fd, chunk)
        _give_permissions(fd, target, mode)
        os.fsync(fd)
    finally:
        os.close(fd)


def _write_all(fd: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(fd, left) :]


def _give_permissions(fd: int, target: str, mode: int | None) -> None:
    try:
        old = os.stat(target)
    except FileNotFoundError:
        old = None
    if not hasattr(os, "fchmod"):  # pragma: needs msvcrt
        return
    if old is not None and (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(PermissionError):  # only root can give files away
            os.fchown(fd, old.st_uid, old.st_gid)
    if mode is None:
        mode = 0o600 if old is None else stat.S_IMODE(old.st_mode)
    os.fchmod(fd, mode)


def _sync_directory(directory: str) -> None:
    if os.name == "nt":  # pragma: needs msvcrt
        return
    fd = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno != errno.EINVAL:  # file systems that cannot sync a directory need not
            raise
    finally:
        os.close(fd)


def write_failed(target: str, error: OSError, outcome: str = "the old file is unchanged") -> WriteFailed:
    """The error that says what the file system refused, and what to do about it."""
    denied = error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}
    return WriteFailed(
        f"Cannot write {target}: {error.strerror or error}; {outcome}",
        path=target,
        errno=error.errno,
        exit_status=PERMISSION_DENIED if denied else WriteFailed.exit_status,
        suggestion=_SUGGESTIONS.get(error.errno or 0, ""),
        detail=f"path={target} errno={errno.errorcode.get(error.errno or 0, 'unknown')}",
    )
