"""What a keeper sees of the file system, and with it the commands: its sandbox, and the rest without a change.

Everything is mounted read-only but the sandbox and what the user names; the places for everybody's temporary files
are the sandbox's own. Landlock alone leaves modes, owners, times and attributes of files unprotected, and cannot
give a command a file at `/tmp/tool.lock` that is not everybody's.
"""

import errno
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from racehound.processes.commons import Commons
from racehound.processes.mounts import copy_of, forbid_changes, forbid_changes_at, mounted, put, separate

OPEN = ("/proc", "/dev/pts", "/dev/mqueue")
"""No files of anybody: terminals and processes are changed by those who have one."""
SETTINGS = "/proc/sys"
COVERED = frozenset({errno.EINVAL, errno.ENOENT, errno.ENOTDIR, errno.EACCES})


def enclose(root: str, commons: Commons, writable: Iterable[str]) -> None:
    """This process, before it has threads; `writable` are the places that stay as they are.

    Raises:
        OSError: the system does not allow it; the process is of no use any more.
    """
    separate()
    ours = [(path, copy_of(path)) for path in writable if Path(path).is_dir()]
    settings = copy_of(SETTINGS)
    folders = {place: copy_of(f"{root}/{folder}") for place, folder in commons.places.items()}
    theirs = {place: os.open(place, os.O_PATH | os.O_DIRECTORY) for place in commons.places}
    for path in mounted():
        if not f"{path}/".startswith(tuple(f"{place}/" for place in OPEN)):
            _forbid(path)
    forbid_changes(settings)
    put(settings, SETTINGS)
    for place, folder in folders.items():
        put(folder, place)
    _show(commons.bound, theirs)
    for path, mount in sorted(ours, key=lambda item: item[0].count("/")):
        put(mount, path)


def _show(paths: Iterable[str], theirs: Mapping[str, int]) -> None:
    """What the user has in the places, where it was, for reading."""
    for path in paths:
        place, name = os.path.split(path)
        try:
            mount = copy_of(name, theirs[place])
        except FileNotFoundError:  # it is gone by now
            continue
        forbid_changes(mount)
        put(mount, path)
    for descriptor in theirs.values():
        os.close(descriptor)


def _forbid(path: str) -> None:
    """What is covered by another mount nobody can get to."""
    try:
        forbid_changes_at(path)
    except OSError as error:
        if error.errno not in COVERED or path == "/":
            raise
