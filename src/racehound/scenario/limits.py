"""What the process may use in which code under proof runs."""

import ctypes
import resource
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1


BEGUN = ".begun"


def begin(answer: Path) -> None:
    """Say that Python has started and the budget runs from now on."""
    answer.with_suffix(BEGUN).touch()


def limit_resources(megabytes: int) -> None:
    """No more memory than that, no core file, and no life after the parent."""
    size = megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
