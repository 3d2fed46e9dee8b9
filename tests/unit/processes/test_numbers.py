"""The numbers of system calls, which no machine at hand may be able to try."""

import ctypes
import errno
import re
from pathlib import Path

import pytest

from racehound.processes import traced
from racehound.processes.calls import Detail
from racehound.processes.kernel import SECCOMP, Vector
from racehound.processes.reading import Trap
from racehound.processes.syscalls import AFTERWARDS, TABLE
from racehound.processes.traced import SYSTEM_CALL_REGISTER, Request, TracedObserver
from racehound.processes.traps import Wanted
from racehound.processes.waits import NUMBERS

GENERIC = {
    "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
    "epoll_pwait": 22, "fcntl": 25, "ioctl": 29, "flock": 32, "mknodat": 33, "mkdirat": 34, "unlinkat": 35,
    "symlinkat": 36, "linkat": 37, "renameat": 38, "truncate": 45, "ftruncate": 46, "fallocate": 47,
    "faccessat": 48, "fchmod": 52, "fchmodat": 53, "fchownat": 54, "fchown": 55, "openat": 56, "close": 57,
    "getdents64": 61, "read": 63, "write": 64, "readv": 65, "writev": 66, "pread64": 67, "pwrite64": 68,
    "preadv": 69, "pwritev": 70, "sendfile": 71, "pselect6": 72, "ppoll": 73, "splice": 76, "readlinkat": 78,
    "newfstatat": 79, "fsync": 82, "fdatasync": 83, "utimensat": 88, "exit": 93, "exit_group": 94, "waitid": 95,
    "futex": 98, "nanosleep": 101, "clock_nanosleep": 115, "rt_sigsuspend": 133, "accept": 202, "connect": 203,
    "sendto": 206, "recvfrom": 207, "sendmsg": 211, "recvmsg": 212, "execve": 221, "mmap": 222, "accept4": 242,
    "wait4": 260, "renameat2": 276, "seccomp": 277, "execveat": 281, "copy_file_range": 285, "preadv2": 286,
    "pwritev2": 287, "statx": 291, "io_uring_setup": 425, "openat2": 437, "faccessat2": 439, "fchmodat2": 452,
}  # fmt: skip
"""The table that the kernel gives to every architecture of this century, aarch64 among them."""
HEADER = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")


def test_aarch64_has_the_generic_numbers() -> None:
    for call in (*TABLE, *AFTERWARDS):
        assert (call.name, call.numbers[1]) == (call.name, GENERIC.get(call.name))
    assert SECCOMP["aarch64"] == GENERIC["seccomp"]
    names = {number: name for name, number in GENERIC.items()}
    shortened = {"wait4": "wait", "waitid": "wait", "openat": "open", "pselect6": "select"}
    shortened |= {"epoll_pwait": "epoll", "rt_sigsuspend": "sigsuspend"}
    sockets = {"accept", "accept4", "connect", "recvfrom", "recvmsg", "sendmsg", "sendto"}
    shortened |= dict.fromkeys(sockets, "socket")
    for number, name in NUMBERS["aarch64"].items():
        assert shortened.get(names[number], names[number]) == name


@pytest.mark.skipif(not HEADER.exists(), reason="needs the kernel's headers")
def test_x86_64_has_the_numbers_of_the_headers() -> None:
    found = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", HEADER.read_text())}

    for call in (*TABLE, *AFTERWARDS):
        assert call.numbers[0] == found.get(call.name, call.numbers[0]), call.name


def test_a_call_is_refused_on_aarch64_by_its_register(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, ...]] = []
    observer = TracedObserver(Wanted(Detail.OPENS), lambda *_: True, filtered=False)
    monkeypatch.setattr(traced, "machine", lambda: "aarch64")
    monkeypatch.setattr(traced, "ptrace", lambda *arguments: asked.append(arguments))

    observer.refuse(0, Trap(thread=7, number=425, architecture=0, arguments=(0,) * 6), errno.ENOSYS)

    (request, thread, register, address), going_on = asked
    vector = Vector.from_address(address)
    assert (request, thread, register) == (Request.SETREGSET, 7, SYSTEM_CALL_REGISTER)
    assert ctypes.c_int32.from_address(vector.address).value == -1
    assert vector.length == 4
    assert going_on[:2] == (Request.SYSCALL, 7)
