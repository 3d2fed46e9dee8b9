"""Whether a command that inherited our standard input may be started a second time.

The second start must read what the first one read. A file can be rewound, a terminal or the null
device holds nothing back, but what was taken from a pipe is gone. Reading the pipe ahead and
replaying it would swallow the input of whoever reads it after us (`while read line; do ...`), so a
pipe is left alone, and the command is started again only if there was nothing in it to take.
"""

import os
import select
import stat
from typing import Protocol


class Stdin(Protocol):
    def obstacle(self) -> str | None:
        """Why the command must not be started again, or None after making it possible."""


class UntouchedStdin:
    """A terminal, the null device, or no standard input at all."""

    def obstacle(self) -> None:
        return None


class FileStdin:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._start = os.lseek(descriptor, 0, os.SEEK_CUR)

    def obstacle(self) -> None:
        os.lseek(self._descriptor, self._start, os.SEEK_SET)


class PipeStdin:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._before = _readiness(descriptor)

    def obstacle(self) -> str | None:
        # A command that reads its input reads to the end, and the end shows as readiness: silence
        # (or the end alone) before and the same silence after means that nothing was taken.
        if not self._before & select.POLLIN and _readiness(self._descriptor) == self._before:
            return None
        return "standard input is a pipe that the command may have read; pass </dev/null to allow retries"


def watch_stdin(descriptor: int = 0) -> Stdin:
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return UntouchedStdin()
    if stat.S_ISREG(mode):
        return FileStdin(descriptor)
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        return PipeStdin(descriptor)
    return UntouchedStdin()


def _readiness(descriptor: int) -> int:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN | select.POLLHUP)
    return sum(event for _, event in poll.poll(0)) & (select.POLLIN | select.POLLHUP)
