"""What code under proof may change: its scratch directory, and nothing of the user's.

A class that is raced does what its methods do, and some of them delete. The kernel holds the fence where it
can, also for the programs that the code starts. The interpreter's audit events tell what was about to be done
and end the execution with it; where there is no such kernel they are all there is, and programs are not started.
"""

import os
import sys
from pathlib import Path
from typing import Final

from racehound.engine.control import CONTROL
from racehound.errors import HarnessError
from racehound.scenario.changes import CHANGING, changed_paths
from racehound.scenario.landlock import confine

VARIABLE: Final = "RACEHOUND_WRITABLE"
"""Further places that may be written to, separated as those of PATH are."""
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm")  # noqa: S108 - semaphores live there
_PROGRAMS: Final = frozenset(
    {"os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.system", "pty.spawn", "subprocess.Popen"}
)
_SIGNALS: Final = frozenset({"os.kill", "os.killpg"})


class Fence:
    """Stands around this process, and the threads that it starts, from the moment it is closed."""

    def __init__(self, scratch: Path) -> None:
        further = [place for place in os.environ.get(VARIABLE, "").split(os.pathsep) if place]
        self._places = [os.path.realpath(place) for place in (str(scratch), *_DEVICES, *further, "/proc/self")]
        self._is_held_by_kernel = False

    def enclose(self) -> None:
        """From now on; there is no way back."""
        sys.dont_write_bytecode = True
        self._is_held_by_kernel = confine(map(Path, self._places))
        sys.addaudithook(self.hear)

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        """Refuse what an audit event of the interpreter announces, unless it stays inside."""
        if event in CHANGING:
            for path in changed_paths(event, arguments):
                self._check(path)
        elif event in _SIGNALS:
            _check_signal(arguments[0], arguments[1])
        elif not self._is_held_by_kernel:
            self._hear_alone(event, arguments)

    def _hear_alone(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in _PROGRAMS:
            _refuse("start a program, and nothing here could keep that from files")
        elif event == "sqlite3.connect" and arguments[0] not in ("", ":memory:"):
            self._check(os.path.realpath(str(arguments[0])))

    def _check(self, path: str) -> None:
        if not any(path == place or path.startswith(f"{place}{os.sep}") for place in self._places):
            _refuse(f"change {path}")


def _check_signal(process: object, number: object) -> None:
    """Signals are for the processes of this session; 0 asks and does no harm."""
    if number == 0 or process in (0, os.getpid()):
        return
    if not isinstance(process, int) or not _is_of_this_session(process):
        _refuse(f"send a signal to process {process}")


def _is_of_this_session(process: int) -> bool:
    """Also where a negative number means a group; -1 means everybody."""
    try:
        return process != -1 and os.getsid(abs(process)) == os.getsid(0)
    except OSError:  # nobody is there who could mind
        return True


def _refuse(what: str) -> None:
    """End the execution; outside of one, as in a set-up, raise what a forbidden file would."""
    reason = f"the code wants to {what}: it may change nothing but files in a directory of its own"
    execution = CONTROL.in_charge()
    if execution is not None:
        execution.give_up(HarnessError(reason))
    raise PermissionError(reason)
