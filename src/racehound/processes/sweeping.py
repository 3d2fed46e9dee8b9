"""Ending commands that a keeper could not end, because it was killed itself.

A command is recognised by the home it was given, which lies in the sandbox: no process of the user's own has it.
"""

import os
import signal
import time
from pathlib import Path

from racehound.processes.environment import PLACES

SECONDS = 5.0
PAUSE = 0.01


def sweep(root: Path) -> None:
    """Kills what was started in the sandbox at `root`, until nothing of it is there, not even what it starts."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        found = [process for process in _processes() if _lives_in(root, process)]
        if not found:
            return
        for process in found:
            _kill(process)
        time.sleep(PAUSE)


def _processes() -> list[int]:
    place = Path("/proc")
    return [int(entry.name) for entry in place.iterdir() if entry.name.isdigit()] if place.is_dir() else []


def _lives_in(root: Path, process: int) -> bool:
    try:
        variables = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:  # gone, or not ours
        return False
    return os.fsencode(f"HOME={root / PLACES['HOME']}") in variables


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # ended just now, or became somebody else's
        return
