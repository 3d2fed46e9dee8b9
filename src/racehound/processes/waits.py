"""Which sleeping system calls only another process can end."""

import os
import struct
import time

from racehound.processes.places import signed
from racehound.processes.procfs import ThreadState
from racehound.processes.syscalls import machine

NUMBERS = {
    "x86_64": {
        0: "read", 1: "write", 2: "open", 257: "open", 73: "flock", 72: "fcntl", 61: "wait", 247: "wait",
        202: "futex", 34: "pause", 130: "sigsuspend", 7: "poll", 271: "ppoll", 23: "select", 270: "select",
        232: "epoll", 281: "epoll", 42: "socket", 43: "socket", 44: "socket", 45: "socket", 46: "socket",
        47: "socket", 288: "socket",
    },
    "aarch64": {
        63: "read", 64: "write", 56: "open", 32: "flock", 25: "fcntl", 260: "wait", 95: "wait",
        98: "futex", 133: "sigsuspend", 73: "ppoll", 72: "select", 22: "epoll", 202: "socket", 203: "socket",
        206: "socket", 207: "socket", 211: "socket", 212: "socket", 242: "socket",
    },
}  # fmt: skip
NAPS = {"x86_64": {35: 0, 230: 2}, "aarch64": {101: 0, 115: 2}}
"""nanosleep and clock_nanosleep, and which of their arguments points to the time."""
ABSOLUTE = 1
"""TIMER_ABSTIME, a flag of clock_nanosleep."""
TIME = struct.Struct("qq")
"""Seconds and nanoseconds, as the kernel reads them on a machine of 64 bits."""
ALWAYS = {"flock", "fcntl", "wait", "pause", "sigsuspend", "open"}
TIME_LIMIT = {"futex": 3, "ppoll": 2, "select": 4}
"""Which argument points to a time limit, if there is one."""
OUTSIDE = ("socket:", "anon_inode:[timerfd")
"""What the network or a clock may make readable."""
NO_SOCKETS: frozenset[str] = frozenset()


def is_endless(state: ThreadState, inside: frozenset[str] = NO_SOCKETS) -> bool:
    """Whether the call has no time limit and waits for nothing from outside; the sockets `inside` are not that."""
    name = NUMBERS.get(machine(), {}).get(state.call if state.call is not None else -1)
    if name is None:
        return False
    if name in ALWAYS:
        return True
    if name in {"read", "write", "socket"}:
        return _is_ours(state.thread, signed(state.arguments[0]), inside)
    if name in TIME_LIMIT:
        return state.arguments[TIME_LIMIT[name]] == 0 and not _has_socket(state.thread, name, inside)
    limit = state.arguments[2] if name == "poll" else state.arguments[3]
    return signed(limit) < 0 and not _has_socket(state.thread, name, inside)


def naps(state: ThreadState) -> bool:
    """Whether it sleeps for a certain time, and for nothing else."""
    return state.asleep and state.call in NAPS.get(machine(), {})


def nap_left(state: ThreadState, alive: float) -> float:
    """The seconds for which a thread that `naps` will do so at least; it is `alive` for no longer than that."""
    place = NAPS[machine()][state.call or 0]
    given = _time_at(state.thread, state.arguments[place])
    if place and state.arguments[1] & ABSOLUTE:
        return given - time.clock_gettime(state.arguments[0])
    return given - alive


def _time_at(thread: int, address: int) -> float:
    """0 where it cannot be read."""
    try:
        with open(f"/proc/{thread}/mem", "rb", buffering=0) as memory:  # noqa: PTH123 - as elsewhere here
            found = os.pread(memory.fileno(), TIME.size, address)
        seconds, nanoseconds = map(int, TIME.unpack(found))
    except (OSError, OverflowError, struct.error):  # gone, or no right to look
        return 0.0
    return seconds + nanoseconds / 1e9


def _is_ours(thread: int, descriptor: int, inside: frozenset[str]) -> bool:
    try:
        found = os.readlink(f"/proc/{thread}/fd/{descriptor}")  # noqa: PTH115 - a link to no path
    except OSError:
        return False
    return found in inside or not found.startswith(OUTSIDE)


def _has_socket(thread: int, name: str, inside: frozenset[str]) -> bool:
    """Whether something from outside may wake it; a futex belongs to the process itself."""
    if name == "futex":
        return False
    try:
        descriptors = os.listdir(f"/proc/{thread}/fd")  # noqa: PTH208 - names only
    except OSError:
        return True
    return not all(_is_ours(thread, int(descriptor), inside) for descriptor in descriptors)
