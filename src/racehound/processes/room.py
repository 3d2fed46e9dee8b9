"""What keeps a sandbox from being made or filled, told to whoever can mend it."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from racehound.errors import HarnessError, UsageError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
ELSEWHERE = "set TMPDIR to a directory that has room"


@contextmanager
def room_in(place: Path) -> Iterator[None]:
    """A file system without room is no defect of ours."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise HarnessError(f"the sandbox has no room in {place}: {error.strerror}", hint=ELSEWHERE) from error


def copy_into(place: Path, directory: str) -> None:
    """A copy of all that is in `directory`, links as they are."""
    try:
        shutil.copytree(directory, place, symlinks=True, dirs_exist_ok=True)
    except shutil.Error as error:
        source, _, reason = error.args[0][0]
        message = f"{source} cannot be copied into the sandbox: {reason}"
        raise UsageError(message, hint="it must be readable, and TMPDIR must have room for it") from error


def why_not_started(program: str, error: OSError) -> str:
    """What the kernel says, and where it says too little."""
    if error.errno == errno.EACCES and os.access(program, os.F_OK) and _runs_nothing(program):
        return f"nothing may be executed in {Path(program).parent}, set TMPDIR to another directory"
    return error.strerror or str(error)


def _runs_nothing(program: str) -> bool:
    return bool(os.statvfs(program).f_flag & os.ST_NOEXEC)
