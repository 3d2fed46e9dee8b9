"""The text that a holder leaves in its lock file, for the messages of others.

The kernel's lock is the truth; nothing is decided by this text, so it may be torn, stale or
missing. It is at most 512 bytes and has two parts, each of which goes out in one write:

    racehound lock 1 hold_us=000000001234 free_ns=00000001237833356001 moved=0
    pid=4711
    ...
    turn_ends_ns=0
    since_ns=1237833361120
    end

A release writes the first line: how long the lock is usually held, and since when it is free. An
acquisition writes the rest. The lock is held if `since_ns` is later than `free_ns`; both are of the
steady clock, and `clock_offset` turns it into the time of day. `moved` is explained in orphans.py.
"""

from __future__ import annotations

import os
import sys
import time
from functools import lru_cache

from racehound.guard.identity import boot_id, host_name, own_start_time

SIZE = 512
_MAGIC = b"racehound lock 1 "
_HEADER = _MAGIC + b"hold_us=%012d free_ns=%020d moved=0\n"
HEADER_SIZE = len(_HEADER % (0, 0))
_HOLD = slice(25, 37)
_FREE = slice(46, 66)
MOVED_AT = HEADER_SIZE - 2
STAYS = b"moved=0\n"
_NEVER = b"0" * 12
_LONGEST_HOLD = 10**12 - 1
_ROOM_FOR_TIMES = 72


def header(hold_us: int, free_ns: int) -> bytes:
    return _HEADER % (hold_us, free_ns)


def is_ours(data: bytes) -> bool:
    """Whether the file is a lock file, and not something else that must not be overwritten."""
    return data.startswith(_MAGIC)


def hold_us(data: bytes) -> int:
    return _number(data[_HOLD])


def free_ns(data: bytes) -> int:
    return _number(data[_FREE])


def _number(digits: bytes) -> int:
    return int(digits) if digits.isdigit() else 0


def released(before: bytes, since_ns: int, now_ns: int) -> bytes:
    """The header after a release: its hold time counts a quarter of the average, the first one all."""
    held_us = (now_ns - since_ns) // 1000
    digits = before[_HOLD]
    if digits.isdigit() and digits != _NEVER:
        average_us = int(digits)
        held_us = average_us + (held_us - average_us) // 4
    return _HEADER % (min(_LONGEST_HOLD, held_us), now_ns)


def process_part(session: str) -> bytes:
    """What stays the same for all acquisitions by this process, up to the time."""
    return _process_part(os.getpid(), session, " ".join(getattr(sys, "argv", ())))


@lru_cache(maxsize=8)
def _process_part(pid: int, session: str, command: str) -> bytes:
    facts = {
        "pid": pid,
        "start": own_start_time(pid),
        "boot": boot_id(),
        "host": host_name(),
        "session": session,
        "clock_offset": round(time.time() - time.monotonic(), 6),
        "argv": command,
    }
    lines = "\n".join(f"{name}={_one_line(str(value))}" for name, value in facts.items())
    return lines.encode("ascii", "replace")[: SIZE - HEADER_SIZE - _ROOM_FOR_TIMES] + b"\nturn_ends_ns="


def _one_line(text: str) -> str:
    return text.encode("unicode_escape").decode("ascii").replace("\0", "")


def holder_part(process: bytes, turn_ends: int, since_ns: int) -> bytes:
    return b"%b%d\nsince_ns=%d\nend\n" % (process, turn_ends, since_ns)


def turn_ends_ns(data: bytes) -> int:
    """Until when the holder may take the lock again without queueing; 0 if it does not mean to."""
    value = fields(data).get("turn_ends_ns", "")
    return int(value) if value.isdecimal() else 0


def fields(data: bytes) -> dict[str, str]:
    """The facts of a complete record; empty for anything else."""
    lines, end, _ = data[HEADER_SIZE:].partition(b"\nend\n")
    if not (end and is_ours(data)):
        return {}
    pairs = (line.partition("=") for line in lines.decode("ascii", "replace").split("\n"))
    return {name: value for name, _, value in pairs}
