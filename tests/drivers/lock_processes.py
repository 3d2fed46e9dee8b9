"""Other processes for the tests of locks: they say when they are ready and wait to be told."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HOLD = """
import sys
from racehound.guard import Lock
with Lock(sys.argv[1], timeout=30):
    print("ready", flush=True)
    sys.stdin.readline()
print("released", flush=True)
sys.stdin.readline()
"""

PLAIN_FLOCK = """
import fcntl, sys
file = open(sys.argv[1], "a")
fcntl.flock(file, fcntl.LOCK_EX)
print("ready", flush=True)
sys.stdin.readline()
"""

HOLD_WITH_HEIR = """
import subprocess, sys
from racehound.guard import Lock
lock = Lock(sys.argv[1])
lock.acquire()
heir = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.readline()"],
                        stdin=sys.stdin, stdout=subprocess.DEVNULL, pass_fds=[lock._share.file.fd])
print("ready", heir.pid, flush=True)
heir.wait()
"""


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=50
    )


@contextmanager
def directory_for_all() -> Iterator[Path]:
    """A directory that other users can look into, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        path.chmod(0o755)
        yield path
        path.chmod(0o755)


@contextmanager
def child(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A process that ends with the block at the latest."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str]) -> list[str]:
    """The words of the next line that the process prints."""
    assert process.stdout is not None
    return process.stdout.readline().split()


def go_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


@contextmanager
def holder(path: object) -> Iterator[subprocess.Popen[str]]:
    with child(HOLD, path) as process:
        assert said(process) == ["ready"]
        yield process
