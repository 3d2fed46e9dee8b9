"""The same file locks where only `msvcrt` offers them.

Its locks are mandatory: a locked byte cannot be read by others. So the locked bytes lie far behind
the record. It cannot wait either, so waiting is polling with growing delays. And it unlocks exactly what was
locked, or fails.
"""
# ruff: noqa: PLC0415 - the modules exist on that platform only

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

_LOCK_OFFSET = 1 << 24
_SHARES = 1 << 16
_LONGEST_DELAY = 0.1

if sys.platform == "win32":  # pragma: needs msvcrt
    import msvcrt

    _shared: dict[int, int] = {}
    """Which byte of the range a descriptor has locked as its share."""

    def _try(fd: int, offset: int, size: int) -> bool:
        os.lseek(fd, offset, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, size)
        except OSError:
            return False
        return True

    def try_enter_gate(fd: int) -> bool:
        del fd
        return True

    def enter_gate(fd: int) -> None:
        del fd

    def leave_gate(fd: int) -> None:
        del fd

    def try_lock(fd: int) -> bool:
        """The whole range. A share of one's own would be in the way of it, and comes back if others are."""
        share = _shared.pop(fd, None)
        if share is not None:
            _unlock(fd, share, 1)
        if _try(fd, _LOCK_OFFSET, _SHARES):
            return True
        if share is not None:
            try_share(fd)
        return False

    def lock(fd: int) -> None:
        delay = 0.001
        while not try_lock(fd):
            time.sleep(delay * (0.5 + os.urandom(1)[0] / 255))
            delay = min(delay * 2, _LONGEST_DELAY)

    def try_share(fd: int) -> bool:
        """One byte of the range, picked at random: it keeps out whoever wants the whole range."""
        share = _LOCK_OFFSET + int.from_bytes(os.urandom(2), "little")
        if _try(fd, share, 1):
            _shared[fd] = share
            return True
        return False

    def unlock(fd: int) -> None:
        _unlock(fd, _LOCK_OFFSET, _SHARES)

    def _unlock(fd: int, offset: int, size: int) -> None:
        os.lseek(fd, offset, os.SEEK_SET)
        with suppress(OSError):  # it was not locked, or its descriptor was closed and used anew
            msvcrt.locking(fd, msvcrt.LK_UNLCK, size)

    def read_at(fd: int, size: int, offset: int) -> bytes:
        os.lseek(fd, offset, os.SEEK_SET)
        return os.read(fd, size)

    def write_at(fd: int, data: bytes, offset: int) -> int:
        os.lseek(fd, offset, os.SEEK_SET)
        return os.write(fd, data)

    def process_exists(pid: int) -> bool:
        import ctypes

        query_limited_information, still_active = 0x1000, 259
        handle = ctypes.windll.kernel32.OpenProcess(query_limited_information, 0, pid)
        if not handle:
            return False
        status = ctypes.c_ulong()
        ctypes.windll.kernel32.GetExitCodeProcess(handle, ctypes.byref(status))
        ctypes.windll.kernel32.CloseHandle(handle)
        return status.value == still_active
