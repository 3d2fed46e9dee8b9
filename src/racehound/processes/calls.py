"""Calls on files as they are reported, and the points at which a command can be stopped.

One word per kind of call, whatever the system call is named: `rename` is rename, renameat and renameat2. Opens are
told apart by what they may do to the file, so that the same point is found again however much is observed.

    open-read        reading alone                      open-write       may write, keeps what is there
    open-create      makes the file if it is missing    open-exclusive   refuses a file that exists
    open-truncate    empties what is there              open-append      every write goes to the end
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from fnmatch import fnmatchcase
from typing import NamedTuple

from racehound.errors import UsageError

READING = frozenset({"open-read", "read", "stat", "access", "readlink", "getdents", "exec"})
LOCKING = frozenset({"flock", "fcntl-lock", "flock-unlock", "fcntl-unlock"})
CHANGING = frozenset(
    {
        "open-write", "open-create", "open-exclusive", "open-truncate", "open-append",
        "rename", "link", "symlink", "unlink", "mkdir", "rmdir", "mknod",
        "write", "sendfile", "copy", "truncate", "fallocate", "mmap",
        "chmod", "chown", "utime", "setxattr",
    }
)  # fmt: skip
KINDS = READING | LOCKING | CHANGING


class Detail(IntEnum):
    """How much is observed; each level includes the ones before it and costs more."""

    CHANGES = 1
    """What alters files, locks, and the programs that are started."""
    OPENS = 2
    """Also opens for reading."""
    ALL = 3
    """Also reads, and looks at names: stat, access, readlink, getdents."""


def detail_of(kind: str) -> Detail:
    """The least detail at which calls of this kind are seen."""
    if kind == "open-read":
        return Detail.OPENS
    return Detail.ALL if kind in READING - {"exec"} else Detail.CHANGES


class FileCall(NamedTuple):
    """One call on a file, seen before it happened. A tuple, as some hundred are made and sent in each run."""

    name: str
    path: str
    """What the call changes or looks at, of a rename the new name: `work/conf.json`; absolute if outside."""
    mutating: bool
    occurrence: int
    """Which of this command's calls of this name on this path it is, from 1."""
    process: int
    """Which of this command's processes makes it, from 1 in the order of their first calls."""
    other_path: str = ""
    """The old name of a rename or a link, the source of a copy."""
    result: int | None = None
    """What the call returned, a negative error number if it failed; unknown where the backend does not see it."""
    outside: bool = False

    @property
    def locking(self) -> bool:
        return self.name in LOCKING

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.path, self.other_path) if self.other_path else (self.path,)

    @property
    def point(self) -> "Point":
        return Point(self.name, literal(self.path), self.occurrence)

    def __str__(self) -> str:
        return f"{self.name} {self.other_path} -> {self.path}" if self.other_path else f"{self.name} {self.path}"


POINT = re.compile(r"(?P<call>[a-z-]+) (?P<path>.+) #(?P<occurrence>[1-9]\d*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Point:
    """A place in a command's run that is found again in the next one, also when threads change their order.

    `*` and `?` in the path stand for the part of a name that is drawn anew each time, as in the names of temporary
    files; `occurrence` then counts what matches.
    """

    call: str
    path: str
    occurrence: int = 1

    def matches(self, call: FileCall) -> bool:
        """Whether the call is of this kind on this path; which occurrence it is, the observer counts."""
        return call.name == self.call and (call.path == self.path or fnmatchcase(call.path, self.path))

    def __str__(self) -> str:
        return f"{self.call} {self.path} #{self.occurrence}"

    @classmethod
    def parse(cls, text: str) -> "Point":
        found = POINT.fullmatch(text)
        if found is None or found["call"] not in KINDS:
            raise UsageError(f"{text!r} is no point", hint="write it as in `rename work/conf.json #1`")
        return cls(found["call"], found["path"], int(found["occurrence"]))


def literal(path: str) -> str:
    """A pattern that matches this path alone."""
    return re.sub(r"([*?\[])", r"[\1]", path)
