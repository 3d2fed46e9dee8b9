"""Temporary files that can be told from those of the dead.

The name says which process writes the file. A writer that was killed leaves its file behind; the
next process that writes in the same directory removes it, and never one of a live writer.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import cache
from zlib import crc32

from racehound.guard.identity import boot_id, host_name, is_running, own_start_time

_SUFFIX = ".rh-tmp"
_LONGEST_STEM = 100
_OTHER_HOSTS_SECONDS = 86_400


def name_for(target: str) -> str:
    """A name that nobody else uses, in the directory of the target."""
    pid = os.getpid()
    writer = f"{_machine()}-{_boot()}-{pid}-{own_start_time(pid) or 0}-{os.urandom(4).hex()}"
    directory, name = os.path.split(target)
    stem = name if len(os.fsencode(name)) <= _LONGEST_STEM else f"{crc32(os.fsencode(name)):08x}"
    return os.path.join(directory, f".{stem}.{writer}{_SUFFIX}")


@cache
def _machine() -> str:
    return f"{crc32(host_name().encode()):08x}"


@cache
def _boot() -> str:
    return f"{crc32(boot_id().encode()):08x}"


_PRUNED: set[tuple[int, str]] = set()
"""Which directories this process has cleaned up: each is listed once, not at every write."""


def prune_once(directory: str) -> None:
    key = (os.getpid(), directory)
    if key not in _PRUNED:
        _PRUNED.add(key)
        with suppress(PermissionError):  # a directory may be written to and not listed
            prune(directory)


def prune(directory: str) -> None:
    for name in os.listdir(directory):
        if name.startswith(".") and name.endswith(_SUFFIX):
            path = os.path.join(directory, name)
            with suppress(OSError):  # another process removes it at the same moment
                if _is_abandoned(path, name.removesuffix(_SUFFIX).rpartition(".")[2]):
                    os.unlink(path)


def _is_abandoned(path: str, writer: str) -> bool:
    parts = writer.split("-")
    if len(parts) != 5 or not parts[2].isdigit():
        return False
    machine, boot, pid, started, _ = parts
    if machine != _machine():  # another host on a shared disk: nobody here can ask for its process
        return time.time() - os.lstat(path).st_mtime > _OTHER_HOSTS_SECONDS
    return boot != _boot() or not is_running(int(pid), "" if started == "0" else started)
