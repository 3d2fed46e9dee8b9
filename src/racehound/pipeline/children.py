"""Child processes and their scratch directories: none of them outlives its purpose."""

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from racehound.processes.sweeping import sweep_marked

Child = subprocess.Popen[str]
PREFIX = "racehound-"
LAST_SECONDS = 0.5
"""For a child to end what it has started."""
ENDING = signal.SIGTERM if sys.platform == "linux" else signal.SIGKILL
"""What a child is told: on Linux it ends all that it has started before it ends itself."""
MARK = "RACEHOUND_CHILD"
"""A variable of the environment that a child hands on to whatever it starts."""


def ended_in_time(child: Child, seconds: float) -> bool:
    """Wait for the end of a child without taking note of it: its number stays its own until we do."""
    if not hasattr(os, "pidfd_open"):  # pragma: needs a system without pidfd
        with suppress(subprocess.TimeoutExpired):
            child.wait(seconds)
        return child.poll() is not None
    if child.returncode is not None:
        return True
    descriptor = os.pidfd_open(child.pid)
    try:
        ready, _, _ = select.select([descriptor], [], [], seconds)
        return bool(ready)
    finally:
        os.close(descriptor)


def end_session(child: Child) -> None:
    """End the child and everything it started; it does so itself, and its session is ended if it does not."""
    with suppress(ProcessLookupError):
        os.kill(child.pid, ENDING)
    ended_in_time(child, LAST_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def end_marked(mark: str) -> None:
    """End what carries the mark of a child in its environment, whatever session it has moved to."""
    sweep_marked(f"{MARK}={mark}".encode())


class Children:
    """The children at work now, so that an interrupt can end them all."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._working: set[Child] = set()

    @contextmanager
    def watching(self, child: Child) -> Iterator[None]:
        with self._lock:
            self._working.add(child)
        try:
            yield
        finally:
            with self._lock:
                self._working.discard(child)

    def end_all(self) -> None:
        with self._lock:
            working = list(self._working)
        for child in working:
            with suppress(ProcessLookupError):
                os.kill(child.pid, ENDING)


CHILDREN = Children()
"""Children are a fact about the process, whichever thread started them."""


@contextmanager
def scratch_directory() -> Iterator[Path]:
    """A directory for one child; what a killed racehound left of such directories is removed on the way."""
    _remove_orphans(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def _remove_orphans(directory: Path) -> None:
    for path in directory.glob(f"{PREFIX}*-*"):
        number = path.name.removeprefix(PREFIX).partition("-")[0]
        with suppress(FileNotFoundError):  # another racehound removes it as well
            if number.isdigit() and not _is_alive(int(number)) and path.stat().st_uid == os.getuid():
                shutil.rmtree(path, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
