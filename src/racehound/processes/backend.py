"""The ways in which calls can be stopped, which of them work here, and what each cannot see."""

import platform
import sys
from dataclasses import dataclass
from pathlib import Path

from racehound.processes.syscalls import AUDIT_ARCHITECTURE

NOTIFY, PTRACE_FILTERED, PTRACE = "seccomp-notify", "ptrace-seccomp", "ptrace"
NAMES = (NOTIFY, PTRACE_FILTERED, PTRACE)
"""The best first: the cheapest and the least noticeable to the command."""

ALL_MISS = (
    "writes through mapped memory are seen when the mapping is made, not one by one",
    "io_uring is refused, so that commands fall back to calls that can be seen",
    "the network is neither observed nor blocked",
)
NO_PRIVILEGES = "setuid programs run without the privileges they would gain"
LIMITS = {
    NOTIFY: (*ALL_MISS, NO_PRIVILEGES, "what a call returned is not seen"),
    PTRACE_FILTERED: (*ALL_MISS, NO_PRIVILEGES, "a command that traces others cannot do so"),
    PTRACE: (*ALL_MISS, "a command that traces others cannot do so", "every call is stopped, which takes long"),
}


@dataclass(frozen=True, slots=True)
class Backend:
    """One way, and whether it can be taken on this system."""

    name: str
    works: bool
    why_not: str = ""
    limits: tuple[str, ...] = ()


def unsupported() -> str:
    """Why no backend can work on this system; empty if one may."""
    if sys.platform != "linux":
        return f"calls can be stopped on Linux only, and this is {platform.system()}"
    if platform.machine() not in AUDIT_ARCHITECTURE:
        return f"the calls of {platform.machine()} are not known, only those of {' and '.join(AUDIT_ARCHITECTURE)}"
    if not Path("/proc/self/stat").exists():
        return "there is no /proc, from which the kernel tells what commands do"
    return ""


def choose(found: tuple[Backend, ...]) -> Backend | None:
    """The best of those that work."""
    return next((backend for backend in found if backend.works), None)
