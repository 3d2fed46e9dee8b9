"""Whoever takes something out of a baseline has it alone for that moment, and begins with what is in it then."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from racehound.pipeline.baseline_file import Entry, read_baseline

try:
    import fcntl
except ImportError:  # pragma: needs a system without fcntl
    fcntl = None  # type: ignore[assignment]  # asked before it is used


@contextmanager
def turn_at(path: str) -> Iterator[None]:
    """Holds the directory of the file in the kernel: nothing is left behind, whatever becomes of the holder."""
    if fcntl is None:  # pragma: needs a system without fcntl
        yield
        return
    directory = os.open(Path(path).resolve().parent, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks: what was read again is as new as it can be
            fcntl.flock(directory, fcntl.LOCK_EX)
        yield
    finally:
        os.close(directory)


def entries_now(path: str, before: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """What others have left in the file since it was read; a pipe can be read only once."""
    return read_baseline(path) if Path(path).is_file() else before
