"""Kill a writer around each file system call of an update and look at what it leaves.

usage: python tests/quality/guard_crash_points.py FILE

The calls of a forked child are counted from the start of the update; before or after the one whose turn
it is, or in the middle of it for a write, the child kills itself. Prints one JSON object.
"""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = (
    *("chmod", "close", "fchmod", "fchown", "fstat", "fsync", "link", "listdir", "lstat", "makedirs", "mkdir"),
    *("open", "pread", "pwrite", "rename", "replace", "stat", "unlink", "write"),
)
WRITES = {"write", "pwrite"}
MOMENTS = ("before", "amid", "after")


class Fuse:
    """Burns down with every call; while it is not lit, calls pass."""

    left: int | None = None
    moment = ""
    passed: list[str] = []  # noqa: RUF012 - one fuse per process

    @classmethod
    def wrap(cls, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            if cls.left is None:
                return call(*arguments, **options)
            cls.passed.append(name)
            cls.left -= 1
            if cls.left > 0:
                return call(*arguments, **options)
            if cls.moment == "amid" and name in WRITES:
                fd, data, *rest = arguments
                call(fd, bytes(data)[: len(data) // 2], *rest)
            elif cls.moment == "after":
                call(*arguments, **options)
            die()

        return wrapped


def die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("survived SIGKILL")


def wrap_calls() -> None:
    for name in CALLS:
        setattr(os, name, Fuse.wrap(name, getattr(os, name)))
    for name in ("flock", "fcntl"):
        setattr(fcntl, name, Fuse.wrap(name, getattr(fcntl, name)))


def in_child(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(0)
    return os.waitpid(pid, 0)[1]


def crash_at(path: Path, point: int, moment: str) -> bool:
    """Update in a child that dies at that point; False if the update has fewer calls."""

    def work() -> None:
        store = guard.ConfigStore(path, lock_timeout=5)
        Fuse.left, Fuse.moment = point, moment
        store.set("s.key", "new")
        Fuse.left = None

    status = in_child(work)
    assert status in {0, signal.SIGKILL}, status
    return status == signal.SIGKILL


def update_after_crash(path: Path) -> bool:
    """The next process gets the lock at once, applies its update and cleans up."""

    def work() -> None:
        guard.ConfigStore(path, lock_timeout=0).set("s.next", "here")

    if in_child(work) != 0:
        return False
    names = {entry.name for entry in path.parent.iterdir()}
    return names == {path.name, f".{path.name}.lock"} and guard.ConfigStore(path).get("s.next") == "here"


def calls_of_update(path: Path, old: str) -> list[str]:
    path.write_text(old)
    store = guard.ConfigStore(path)
    Fuse.left, Fuse.moment = sys.maxsize, "never"
    store.set("s.key", "new")
    Fuse.left = None
    return Fuse.passed


def examine(path: Path) -> dict[str, object]:
    guard.ConfigStore(path).update(lambda _: {"s": {"key": "old", "other": "x" * 2000}})
    old = path.read_text()
    calls = calls_of_update(path, old)
    new = path.read_text()
    seen: dict[str, int] = {"old": 0, "new": 0}
    broken = []
    for moment in MOMENTS:
        for point in itertools.count(1):
            path.write_text(old)
            if not crash_at(path, point, moment):
                break
            content = path.read_text()
            seen["old"] += content == old
            seen["new"] += content == new
            if content not in {old, new} or not update_after_crash(path):
                broken.append(f"{moment} call {point} of {calls}")
    return {"calls": calls, "seen": seen, "broken": broken}


if __name__ == "__main__":
    wrap_calls()
    from racehound import guard

    print(json.dumps(examine(Path(sys.argv[1]))))  # noqa: T201 - the answer of a script
