"""Which process this is, in a way that outlives the reuse of its number.

A process number alone is not an identity: it is given to somebody else after the process
ends. Together with the start time that the kernel keeps, and the boot it was counted in, it is.
Where there is no /proc the start time is empty, and a live number counts as the same process.
"""

from __future__ import annotations

import os
import sys
from functools import cache

_STATE = 0
_START_TIME = 19
_ENDED_STATES = frozenset({"Z", "X"})


def _status_fields(pid: int) -> list[str]:
    """The fields of /proc/<pid>/stat from the state on; empty where they cannot be read."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def start_time(pid: int) -> str:
    fields = _status_fields(pid)
    return fields[_START_TIME] if fields else ""


@cache
def own_start_time(pid: int) -> str:
    """Cached by pid, because a forked child must not answer with the time of its parent."""
    return start_time(pid)


@cache
def boot_id() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:  # pragma: needs no /proc
        return ""


@cache
def host_name() -> str:
    if sys.platform == "win32":  # pragma: needs msvcrt
        return os.environ.get("COMPUTERNAME", "")
    return os.uname().nodename


def is_running(pid: int, started: str) -> bool:
    """Whether the process with this number, started at that time on this boot, still runs."""
    if pid <= 0 or not _number_is_taken(pid):
        return False
    fields = _status_fields(pid)
    if not fields:  # pragma: needs no /proc
        return True
    return fields[_STATE] not in _ENDED_STATES and started in {"", fields[_START_TIME]}


def _number_is_taken(pid: int) -> bool:
    if sys.platform == "win32":  # pragma: needs msvcrt
        from racehound.guard import windows  # noqa: PLC0415 - exists on that platform only

        return windows.process_exists(pid)
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
