"""The kernel's file locks.

`lock` is `flock` on the whole file: it belongs to the open file, ends with its last
descriptor, and therefore with the process, however that dies.

`flock` alone is not fair: at a release all waiters wake, run for it, and the process that
just released is usually first. So there is a gate before the lock, one byte of the same file under
an open-file-description lock. A waiter passes the gate, waits there for the lock, and leaves the
gate once it has the lock; the others wait at the gate. Systems without such locks (they queue
`flock` in order) do without the gate.
"""

from __future__ import annotations

import fcntl
import os
import struct
from os import pread as read_at
from os import pwrite as write_at

__all__ = [
    "enter_gate",
    "leave_gate",
    "lock",
    "read_at",
    "try_enter_gate",
    "try_lock",
    "try_share",
    "unlock",
    "write_at",
]

HAS_GATE = hasattr(fcntl, "F_OFD_SETLK")
_GATE_OFFSET = 1 << 20


def _gate_request(kind: int) -> bytes:
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, _GATE_OFFSET, 1, 0)


_ENTER = _gate_request(fcntl.F_WRLCK)
_LEAVE = _gate_request(fcntl.F_UNLCK)


def try_enter_gate(fd: int) -> bool:
    if not HAS_GATE:  # pragma: needs a kernel without open-file-description locks
        return True
    try:
        fcntl.fcntl(fd, fcntl.F_OFD_SETLK, _ENTER)
    except (BlockingIOError, PermissionError):
        return False
    return True


def enter_gate(fd: int) -> None:
    if HAS_GATE:  # pragma: no branch - needs a kernel without open-file-description locks
        fcntl.fcntl(fd, fcntl.F_OFD_SETLKW, _ENTER)


def leave_gate(fd: int) -> None:
    if HAS_GATE:  # pragma: no branch - needs a kernel without open-file-description locks
        fcntl.fcntl(fd, fcntl.F_OFD_SETLK, _LEAVE)


_TRY_LOCK = fcntl.LOCK_EX | fcntl.LOCK_NB


def try_lock(fd: int) -> bool:
    try:
        fcntl.flock(fd, _TRY_LOCK)
    except BlockingIOError:
        return False
    return True


def lock(fd: int) -> None:
    fcntl.flock(fd, fcntl.LOCK_EX)


def try_share(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unlock(fd: int) -> None:
    fcntl.flock(fd, fcntl.LOCK_UN)
