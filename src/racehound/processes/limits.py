"""What a command does that cannot be followed, in words for a report."""

import os
import stat

from racehound.processes.reading import Seen

FOREIGN = "ran a program of another architecture, whose calls are not understood"
RING = "asked for io_uring, which was refused: what is done through it could not be seen"
MAPPED = "maps files into memory to write them: the single writes cannot be seen"
NEEDS_A_CLOSER_LOOK = "was ended, as more of it has to be seen than was looked at"
DEADLOCK = "waited for a lock of the other call, which waited for one of this call"
LEFT_ASLEEP = (
    "left a process behind that slept for longer than was waited for: what it does afterwards is not seen"
)
UNREADABLE = "ran a program whose memory may not be read, so that the paths in its calls are not known"


def limit_of(seen: Seen) -> str:
    """What this call keeps from being seen; empty if nothing."""
    if seen.kind == "mmap":
        return MAPPED
    if seen.kind == "exec" and seen.outside and _gains_privileges(seen.path):
        return f"{seen.path} was started without the privileges that it gains from its owner"
    return ""


def _gains_privileges(program: str) -> bool:
    try:
        return bool(os.stat(program).st_mode & (stat.S_ISUID | stat.S_ISGID))  # noqa: PTH116 - in every run
    except OSError:  # the search along PATH tries programs that do not exist
        return False
