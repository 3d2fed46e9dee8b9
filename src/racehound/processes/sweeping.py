"""Ending processes that nobody is left to end who knows them.

They are recognised by a variable that they were given and no process of the user's own has: a command that
outlived its keeper by its home, which lies in the sandbox. A process that is just being replaced by another
program shows neither arguments nor variables for a moment, and is looked at again.
"""

import os
import signal
import time
from pathlib import Path

from racehound.processes.environment import PLACES

SECONDS = 5.0
SETTLING_SECONDS = 0.5
"""How long a process may show nothing of itself before it counts as one that never will."""
PAUSE = 0.01


def sweep(root: Path) -> None:
    """Kills what was started in the sandbox at `root`."""
    sweep_marked(os.fsencode(f"HOME={root / PLACES['HOME']}"))


def sweep_marked(variable: bytes) -> None:
    """Kills what has the variable, until nothing of it is there, not even what it starts."""
    begun = time.monotonic()
    while (passed := time.monotonic() - begun) < SECONDS:
        processes = _processes()
        settled = passed > SETTLING_SECONDS or not any(map(_is_being_replaced, processes))
        found = [process for process in processes if _carries(variable, process)]
        for process in found:
            _kill(process)
        if settled and not found:
            return
        time.sleep(PAUSE)


def _processes() -> list[int]:
    place = Path("/proc")
    return [int(entry.name) for entry in place.iterdir() if entry.name.isdigit()] if place.is_dir() else []


def _carries(variable: bytes, process: int) -> bool:
    try:
        return variable in Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:  # gone, or not ours
        return False


def _is_being_replaced(process: int) -> bool:
    """Kernel threads and what has ended show nothing either, but they have no program."""
    place = Path(f"/proc/{process}")
    try:
        if (place / "environ").read_bytes() or (place / "cmdline").read_bytes():
            return False
        (place / "exe").readlink()
    except OSError:  # gone, or not ours
        return False
    return True


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # ended just now, or became somebody else's
        return
