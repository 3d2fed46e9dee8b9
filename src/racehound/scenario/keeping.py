"""Nothing that code under proof starts outlives its proof, wherever it hides.

A process can leave its session, forget its environment and lose its parents, but not its ancestors: on Linux
orphans are handed to the nearest one that has asked for them. So the process that was started stays behind as that
ancestor, the code runs in a child of it, and once that child has ended, or time is up, everybody else is ended.
"""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36


def go_on_in_a_child() -> None:
    """Return in a child process alone; this one waits for it, ends what it left behind, and ends as it did."""
    if sys.platform != "linux":  # pragma: needs another system
        return
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    worker = os.fork()
    if worker:
        _stay_behind(worker)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _stay_behind(worker: int) -> NoReturn:
    signal.signal(signal.SIGTERM, _end)
    ended, status = os.wait()
    while ended != worker:
        ended, status = os.wait()
    end_children()
    if os.WIFSIGNALED(status):
        _end_by(os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """Time is up."""
    del number, frame
    end_children()
    os._exit(1)


def _end_by(number: int) -> NoReturn:
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(1)


def end_children() -> None:
    """End all children of this process, and theirs, which become ours as soon as they are orphans."""
    while children := _children():
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def _children() -> list[int]:
    own = str(os.getpid())
    found = (path for path in Path("/proc").iterdir() if path.name.isdigit())
    return [int(path.name) for path in found if _parent(path) == own]


def _parent(process: Path) -> str:
    try:
        return (process / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
    except OSError:
        return ""
