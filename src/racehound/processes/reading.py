"""From a stopped system call to the file call it is about to make."""

import os
import struct
from typing import NamedTuple

from racehound.processes.calls import CHANGING
from racehound.processes.commons import NONE
from racehound.processes.fence import UNFENCED, Fence
from racehound.processes.links import Links
from racehound.processes.memory import Memory
from racehound.processes.operands import Name, Operand
from racehound.processes.places import Places
from racehound.processes.syscalls import AUDIT_ARCHITECTURE, WRITING, SystemCall, by_number

AT_REMOVEDIR = 0x200
LOCK_UN, F_UNLCK = 8, 2


class Trap(NamedTuple):
    """A thread stopped before a system call, and what the backend needs to let it go."""

    thread: int
    number: int
    architecture: int
    arguments: tuple[int, ...]
    cookie: int = 0


class Seen(NamedTuple):
    """A call on a file, before it is counted."""

    kind: str
    path: str
    other_path: str
    outside: bool
    mutating: bool


class Reader:
    """Understands the stopped calls of commands in one sandbox."""

    def __init__(
        self, root: str, architecture: str, memory: Memory, links: Links, fence: Fence | None = None
    ) -> None:
        self._fence = fence
        self._memory = memory
        self._places = Places(root, memory, links, fence.commons if fence else NONE)
        self._calls = by_number(architecture)
        self._architecture = AUDIT_ARCHITECTURE[architecture]

    def call_of(self, trap: Trap) -> SystemCall | None:
        """None for programs of another architecture."""
        return self._calls.get(trap.number) if trap.architecture == self._architecture else None

    def read(self, trap: Trap, call: SystemCall) -> Seen | None:
        """None if no file is concerned, or one outside the sandbox that is only read."""
        if call.target is None:
            return None
        kind, follow = self._kind(trap, call)
        everywhere = kind in CHANGING or kind == "exec"
        target = call.target
        if isinstance(target, Name) and target.follow and not follow:
            target = Name(target.path, target.directory)
        path = self._places.locate(trap.thread, target, trap.arguments, everywhere=everywhere)
        if kind == "exec":
            self._memory.forget()
        if path is None:
            return None
        return self._seen(kind, path, "" if call.source is None else self._source(trap, call.source))

    def could_not_read(self) -> bool:
        """Whether the last call was not understood because the memory it points to may not be read."""
        failed, self._memory.failed = self._memory.failed, False
        return failed

    def is_forbidden(self, seen: Seen) -> bool:
        """Whether the call has to be kept from happening, as the fence alone lets it."""
        beyond = seen.outside and seen.kind in UNFENCED
        return beyond and self._fence is not None and self._fence.forbids(seen.path)

    def start_of(self, program: str) -> Seen:
        """The command itself being started, which no observer needs to stop."""
        return Seen("exec", self._places.shown(program), "", not self._places.is_inside(program), mutating=False)

    def _source(self, trap: Trap, source: Operand) -> str:
        return self._places.locate(trap.thread, source, trap.arguments, everywhere=True) or ""

    def _seen(self, kind: str, path: str, other: str) -> Seen | None:
        outside = not self._places.is_inside(path)
        if outside and _leaves_all_as_it_is(kind, path):
            return None
        return Seen(kind, self._places.shown(path), self._places.shown(other), outside, mutating=kind in CHANGING)

    def _kind(self, trap: Trap, call: SystemCall) -> tuple[str, bool]:
        """What the arguments make of it, and whether a link at the end of the path is followed."""
        match call.kind:
            case "open":
                flags = self._open_flags(trap, call)
                exclusive = flags & os.O_CREAT and flags & os.O_EXCL
                return _kind_of_open(flags), not (exclusive or flags & os.O_NOFOLLOW)
            case "unlink" if call.flags is not None and trap.arguments[call.flags] & AT_REMOVEDIR:
                return "rmdir", False
            case "flock" if trap.arguments[1] & LOCK_UN:
                return "flock-unlock", False
            case "fcntl-lock" if self._is_unlock(trap):
                return "fcntl-unlock", False
        return call.kind, True

    def _open_flags(self, trap: Trap, call: SystemCall) -> int:
        if call.flags is not None:
            return trap.arguments[call.flags]
        how = self._memory.read(trap.thread, trap.arguments[2], 8)
        return int(struct.unpack("=Q", how)[0]) if len(how) == 8 else 0

    def _is_unlock(self, trap: Trap) -> bool:
        return self._memory.read(trap.thread, trap.arguments[2], 2) == struct.pack("=h", F_UNLCK)


def _kind_of_open(flags: int) -> str:
    if not flags & WRITING or flags & os.O_TMPFILE == os.O_TMPFILE:
        return "open-read"
    if flags & os.O_CREAT and flags & os.O_EXCL:
        return "open-exclusive"
    if flags & os.O_TRUNC:
        return "open-truncate"
    if flags & os.O_APPEND:
        return "open-append"
    return "open-create" if flags & os.O_CREAT else "open-write"


def _leaves_all_as_it_is(kind: str, path: str) -> bool:
    """`mkdir -p` and its like try every parent; the ones that exist stay as they are."""
    return kind == "mkdir" and os.path.lexists(path)
