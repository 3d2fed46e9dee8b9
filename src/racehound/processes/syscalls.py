"""The system calls that matter to files, by architecture.

Each row: the numbers on x86_64 and aarch64 (None where the call does not exist), the kind it is reported as, the
operand it changes or looks at, the one it takes something from, and what the filter in the kernel can ask.
"""

import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from racehound.processes.calls import Detail, detail_of
from racehound.processes.conditions import AnyBit, Condition, NoBit, OneOf
from racehound.processes.operands import Descriptor, Name, Operand

AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
LOCK_COMMANDS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW and their OFD forms
PROT_WRITE, MAP_SHARED, MAP_ANONYMOUS = 0x2, 0x1, 0x20
AT_EMPTY_PATH = 0x1000
CLONE_A_FILE = (0x40049409, 0x4020940D)  # FICLONE, FICLONERANGE


ALWAYS = frozenset({"unseen", "mmap"})
"""Kinds that tell of what cannot be followed."""


@dataclass(frozen=True, slots=True)
class SystemCall:
    name: str
    numbers: tuple[int | None, int | None]
    kind: str
    """As in `calls`; `open`, `flock`, `fcntl` and `unlinkat` are told apart further by their arguments."""
    target: Operand | None = None
    source: Operand | None = None
    conditions: tuple[Condition, ...] = ()
    flags: int | None = None
    """Which argument holds the flags of an open, a lock or a removal."""

    @property
    def detail(self) -> Detail:
        return Detail.CHANGES if self.kind in {"open", "unseen", "exit"} else detail_of(self.kind)

    def may_be(self, kinds: frozenset[str]) -> bool:
        """Whether it may be reported as one of these kinds, or has to be known of whatever is looked for."""
        family = self.kind.partition("-")[0]
        return (
            self.kind in ALWAYS
            or any(kind.partition("-")[0] == family for kind in kinds)
            or (self.kind == "unlink" and "rmdir" in kinds)
        )


FILE0 = Descriptor(0)
PATH0, PATH1, AT01 = Name(0), Name(1), Name(1, 0)
FOLLOW0, FOLLOW01 = Name(0, follow=True), Name(1, 0, follow=True)

TABLE = (
    SystemCall("open", (2, None), "open", FOLLOW0, flags=1),
    SystemCall("openat", (257, 56), "open", FOLLOW01, flags=2),
    SystemCall("openat2", (437, 437), "open", FOLLOW01),
    SystemCall("creat", (85, None), "open-truncate", FOLLOW0),
    SystemCall("rename", (82, None), "rename", PATH1, PATH0),
    SystemCall("renameat", (264, 38), "rename", Name(3, 2), AT01),
    SystemCall("renameat2", (316, 276), "rename", Name(3, 2), AT01),
    SystemCall("link", (86, None), "link", PATH1, PATH0),
    SystemCall("linkat", (265, 37), "link", Name(3, 2), AT01),
    SystemCall("symlink", (88, None), "symlink", PATH1),
    SystemCall("symlinkat", (266, 36), "symlink", Name(2, 1)),
    SystemCall("unlink", (87, None), "unlink", PATH0),
    SystemCall("unlinkat", (263, 35), "unlink", AT01, flags=2),
    SystemCall("mkdir", (83, None), "mkdir", PATH0),
    SystemCall("mkdirat", (258, 34), "mkdir", AT01),
    SystemCall("rmdir", (84, None), "rmdir", PATH0),
    SystemCall("mknod", (133, None), "mknod", PATH0),
    SystemCall("mknodat", (259, 33), "mknod", AT01),
    SystemCall("write", (1, 64), "write", FILE0),
    SystemCall("pwrite64", (18, 68), "write", FILE0),
    SystemCall("writev", (20, 66), "write", FILE0),
    SystemCall("pwritev", (296, 70), "write", FILE0),
    SystemCall("pwritev2", (328, 287), "write", FILE0),
    SystemCall("sendfile", (40, 71), "sendfile", FILE0, Descriptor(1)),
    SystemCall("splice", (275, 76), "sendfile", Descriptor(2), Descriptor(0)),
    SystemCall("copy_file_range", (326, 285), "copy", Descriptor(2), FILE0),
    SystemCall("ioctl", (16, 29), "copy", FILE0, Descriptor(2), (OneOf(1, CLONE_A_FILE),)),
    SystemCall("truncate", (76, 45), "truncate", FOLLOW0),
    SystemCall("ftruncate", (77, 46), "truncate", FILE0),
    SystemCall("fallocate", (285, 47), "fallocate", FILE0),
    SystemCall(
        "mmap", (9, 222), "mmap", Descriptor(4), None,
        (AnyBit(2, PROT_WRITE), AnyBit(3, MAP_SHARED), NoBit(3, MAP_ANONYMOUS)),
    ),
    SystemCall("chmod", (90, None), "chmod", FOLLOW0),
    SystemCall("fchmod", (91, 52), "chmod", FILE0),
    SystemCall("fchmodat", (268, 53), "chmod", FOLLOW01),
    SystemCall("fchmodat2", (452, 452), "chmod", FOLLOW01),
    SystemCall("chown", (92, None), "chown", FOLLOW0),
    SystemCall("lchown", (94, None), "chown", PATH0),
    SystemCall("fchown", (93, 55), "chown", FILE0),
    SystemCall("fchownat", (260, 54), "chown", AT01),
    SystemCall("utime", (132, None), "utime", FOLLOW0),
    SystemCall("utimes", (235, None), "utime", FOLLOW0),
    SystemCall("futimesat", (261, None), "utime", FOLLOW01),
    SystemCall("utimensat", (280, 88), "utime", FOLLOW01),
    SystemCall("setxattr", (188, 5), "setxattr", FOLLOW0),
    SystemCall("lsetxattr", (189, 6), "setxattr", PATH0),
    SystemCall("fsetxattr", (190, 7), "setxattr", FILE0),
    SystemCall("removexattr", (197, 14), "setxattr", FOLLOW0),
    SystemCall("lremovexattr", (198, 15), "setxattr", PATH0),
    SystemCall("fremovexattr", (199, 16), "setxattr", FILE0),
    SystemCall("flock", (73, 32), "flock", FILE0, flags=1),
    SystemCall("fcntl", (72, 25), "fcntl-lock", FILE0, None, (OneOf(1, LOCK_COMMANDS),)),
    SystemCall("execve", (59, 221), "exec", FOLLOW0),
    SystemCall("execveat", (322, 281), "exec", FOLLOW01),
    SystemCall("read", (0, 63), "read", FILE0),
    SystemCall("pread64", (17, 67), "read", FILE0),
    SystemCall("readv", (19, 65), "read", FILE0),
    SystemCall("preadv", (295, 69), "read", FILE0),
    SystemCall("preadv2", (327, 286), "read", FILE0),
    SystemCall("getdents", (78, None), "getdents", FILE0),
    SystemCall("getdents64", (217, 61), "getdents", FILE0),
    SystemCall("stat", (4, None), "stat", FOLLOW0),
    SystemCall("lstat", (6, None), "stat", PATH0),
    SystemCall("newfstatat", (262, 79), "stat", FOLLOW01, None, (NoBit(3, AT_EMPTY_PATH),)),
    SystemCall("statx", (332, 291), "stat", FOLLOW01, None, (NoBit(2, AT_EMPTY_PATH),)),
    SystemCall("access", (21, None), "access", FOLLOW0),
    SystemCall("faccessat", (269, 48), "access", FOLLOW01),
    SystemCall("faccessat2", (439, 439), "access", FOLLOW01),
    SystemCall("readlink", (89, None), "readlink", PATH0),
    SystemCall("readlinkat", (267, 78), "readlink", AT01),
    SystemCall("io_uring_setup", (425, 425), "unseen"),
)  # fmt: skip

AFTERWARDS = (
    SystemCall("close", (3, 57), "exit"),
    SystemCall("fsync", (74, 82), "exit"),
    SystemCall("fdatasync", (75, 83), "exit"),
    SystemCall("wait4", (61, 260), "exit"),
    SystemCall("nanosleep", (35, 101), "exit"),
    SystemCall("clock_nanosleep", (230, 115), "exit"),
    SystemCall("exit", (60, 93), "exit"),
    SystemCall("exit_group", (231, 94), "exit"),
)
"""What a thread does next when it has finished with a file: a crash just after a change is cut in here."""


def machine() -> str:
    return platform.machine()


@cache
def by_number(architecture: str) -> dict[int, SystemCall]:
    """Every call of the tables, for the backend that sees all of them."""
    return dict(_numbered((*TABLE, *AFTERWARDS), architecture))


def traps(
    architecture: str, detail: Detail, *, afterwards: bool = False, only: frozenset[str] | None = None
) -> dict[int, tuple[Condition, ...]]:
    """What the filter in the kernel stops at."""
    calls = (*TABLE, *AFTERWARDS) if afterwards else TABLE
    return {
        number: _conditions(call, detail)
        for number, call in _numbered(calls, architecture)
        if call.detail <= detail and (only is None or call.may_be(only))
    }


def _numbered(calls: tuple[SystemCall, ...], architecture: str) -> Iterator[tuple[int, SystemCall]]:
    column = list(AUDIT_ARCHITECTURE).index(architecture)
    for call in calls:
        number = call.numbers[column]
        if number is not None:
            yield number, call


def _conditions(call: SystemCall, detail: Detail) -> tuple[Condition, ...]:
    if call.kind == "open" and call.flags is not None and detail == Detail.CHANGES:
        return (AnyBit(call.flags, WRITING),)
    return call.conditions
