"""A view of the file system of its own: what this process mounts nobody else sees, and it is gone with it.

Whoever may not make such a view as it is makes it as the owner of a user namespace, which every user may on most
systems. Their own number stays what it is in there; files of others look as if they were nobody's.
"""

import ctypes
import os
import struct
from pathlib import Path

from racehound.processes.kernel import last_error, system_call, unshare

NEW_USER, NEW_MOUNTS = 0x10000000, 0x20000
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
"""The same on every architecture."""
HERE = -100
CLONE, CLOSED_ON_EXEC, WITH_ALL_BELOW, NO_LINK, THE_DESCRIPTOR = 0x1, 0x80000, 0x8000, 0x100, 0x1000
FROM_THE_DESCRIPTOR = 0x4
READ_ONLY, PRIVATE = 0x1, 1 << 18


def separate() -> None:
    """From now on mounts of this process are its own. It must not have threads yet."""
    user, group = os.getuid(), os.getgid()
    try:
        unshare(NEW_MOUNTS)
    except PermissionError:
        unshare(NEW_USER | NEW_MOUNTS)
        _tell("setgroups", "deny")
        _tell("uid_map", f"{user} {user} 1")
        _tell("gid_map", f"{group} {group} 1")
    _set(HERE, "/", WITH_ALL_BELOW, propagation=PRIVATE)


def copy_of(path: str, directory: int = HERE) -> int:
    """A mount of what is at the path and below, not yet put anywhere."""
    flags = CLONE | CLOSED_ON_EXEC | WITH_ALL_BELOW | NO_LINK
    return _checked(OPEN_TREE, directory, os.fsencode(path), flags)


def put(mount: int, path: str) -> None:
    """The mount covers what is at the path."""
    try:
        _checked(MOVE_MOUNT, mount, b"", HERE, os.fsencode(path), FROM_THE_DESCRIPTOR)
    finally:
        os.close(mount)


def forbid_changes(mount: int) -> None:
    """To the mount and all that is mounted below."""
    _set(mount, "", THE_DESCRIPTOR | WITH_ALL_BELOW, added=READ_ONLY)


def forbid_changes_at(path: str) -> None:
    """To the one mount whose root is at the path."""
    _set(HERE, path, NO_LINK, added=READ_ONLY)


def mounted() -> list[str]:
    """Where something is mounted."""
    lines = Path("/proc/self/mountinfo").read_bytes().splitlines()
    return [os.fsdecode(line.split()[4].decode("unicode_escape").encode("latin-1")) for line in lines]


def _tell(name: str, text: str) -> None:
    Path(f"/proc/self/{name}").write_text(text, encoding="ascii")


def _set(directory: int, path: str, flags: int, *, added: int = 0, propagation: int = 0) -> None:
    wanted = struct.pack("=QQQQ", added, 0, propagation, 0)
    content = ctypes.create_string_buffer(wanted, len(wanted))
    _checked(MOUNT_SETATTR, directory, os.fsencode(path), flags, content, len(wanted))


def _checked(number: int, *arguments: object) -> int:
    result = system_call(number, *arguments)
    if result < 0:
        raise last_error("mount")
    return result
