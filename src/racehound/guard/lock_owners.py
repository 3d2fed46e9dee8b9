"""Which processes have a lock, asked of /proc instead of the record."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LockOwner:
    """A live process with an open file that carries the lock."""

    pid: int
    command: str


def lock_owners(identity: tuple[int, int]) -> tuple[LockOwner, ...]:
    """All of them that /proc shows to this user; none where there is no /proc."""
    pids = sorted(int(name) for name in _entries("/proc") if name.isdigit())
    return tuple(LockOwner(pid, _command(pid)) for pid in pids if _owns(pid, identity))


def _owns(pid: int, identity: tuple[int, int]) -> bool:
    return any(
        _leads_to(f"/proc/{pid}/fd/{fd}", identity) and "FLOCK" in _text(f"/proc/{pid}/fdinfo/{fd}")
        for fd in _entries(f"/proc/{pid}/fd")
    )


def _entries(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _leads_to(path: str, identity: tuple[int, int]) -> bool:
    try:
        status = os.stat(path)
    except OSError:
        return False
    return (status.st_dev, status.st_ino) == identity


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _command(pid: int) -> str:
    return _text(f"/proc/{pid}/cmdline").replace("\0", " ").strip()
