"""When this process was started: what it takes to load Python is part of a budget too."""

import os
import time
from pathlib import Path

LONGEST = 10.0
"""Seconds that starting may take; an older process has had other things to do."""


def begun() -> float:
    """By the monotonic clock; now, where the system does not tell."""
    now = time.monotonic()
    try:
        fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        started = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - started
    except (OSError, AttributeError):  # pragma: needs a system without /proc
        return now
    return now - age if 0 < age < LONGEST else now
