"""From what a call names to a path that is the same whichever way the program took to it."""

import os
import re
from pathlib import PurePosixPath

from racehound.processes.commons import NONE, Commons
from racehound.processes.links import Links
from racehound.processes.memory import Memory
from racehound.processes.operands import Descriptor, Name, Operand
from racehound.processes.territory import Territory

AT_FDCWD = -100
OWN_DESCRIPTOR = re.compile(r"/(?:proc/(?:self|thread-self)|dev)/fd/(\d+)$")
STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
NOT_FILES = ("/dev/", "/proc/", "/sys/", "/memfd:")
NOT_STRAIGHT = frozenset({"", ".", ".."})
DELETED = " (deleted)"
NAMELESS = re.compile(r"/#\d+ \(deleted\)$")
"""A file that never had a name, as O_TMPFILE makes them; nobody else can see it."""


class Places:
    """Resolves the operands of stopped calls; `root` is the sandbox."""

    def __init__(self, root: str, memory: Memory, links: Links, commons: Commons = NONE) -> None:
        self._root = root
        self._inside = root + "/"
        self._memory = memory
        self._links = links
        territory = Territory(root, commons)
        self.is_inside = territory.holds
        self.shown = territory.shown

    def locate(self, thread: int, operand: Operand, arguments: tuple[int, ...], *, everywhere: bool) -> str | None:
        """The absolute path; None for what is no file, and outside the sandbox unless `everywhere`."""
        match operand:
            case Descriptor(argument=argument):
                found = self.of_descriptor(thread, signed(arguments[argument]))
            case Name():
                found = self._named(thread, operand, arguments, everywhere=everywhere)
        if found is None or (not everywhere and not self.is_inside(found)):
            return None
        return found

    def of_descriptor(self, thread: int, descriptor: int) -> str | None:
        found = self._links.again(thread, descriptor)
        if not found.startswith("/") or (found.startswith(NOT_FILES) and not self.is_inside(found)):
            return None
        if found.endswith(DELETED) and (not self.is_inside(found) or NAMELESS.search(found)):
            return None
        return found.removesuffix(DELETED)

    def _named(self, thread: int, operand: Name, arguments: tuple[int, ...], *, everywhere: bool) -> str | None:
        directory = AT_FDCWD if operand.directory is None else signed(arguments[operand.directory])
        address = arguments[operand.path]
        path = self._memory.text(thread, address) if address else ""
        if path is None:
            return None
        if not path:
            return self.of_descriptor(thread, directory)
        if path[0] != "/":
            base = self._base(thread, directory)
            if base is None:
                return None
            path = f"{base}/{path}"
        return self._resolved(thread, path, follow=operand.follow, everywhere=everywhere)

    def _base(self, thread: int, directory: int) -> str | None:
        link = f"/proc/{thread}/cwd" if directory == AT_FDCWD else f"/proc/{thread}/fd/{directory}"
        try:
            return os.readlink(link)  # noqa: PTH115 - some thousand times per command
        except OSError:
            return None

    def _resolved(self, thread: int, path: str, *, follow: bool, everywhere: bool) -> str | None:
        own = OWN_DESCRIPTOR.match(path)
        if own or path in STANDARD:
            return self.of_descriptor(thread, int(own[1]) if own else STANDARD[path])
        if not self.is_inside(path) and (not everywhere or path.startswith(NOT_FILES)):
            return None
        straight = self._straight(path, follow=follow)
        if straight:
            return straight
        if follow:
            return os.path.realpath(path)
        pure = PurePosixPath(os.path.normpath(path))
        return os.path.join(os.path.realpath(pure.parent), pure.name)  # noqa: PTH118 - a string in, a string out

    def _straight(self, path: str, *, follow: bool) -> str:
        """The path if it leads through the sandbox and no link, else empty; `realpath` asks a whole lot more."""
        parts = path.removeprefix(self._inside).replace("/./", "/").split("/")
        if not path.startswith(self._inside) or not NOT_STRAIGHT.isdisjoint(parts):
            return ""
        way = self._root
        for part in parts[:-1]:
            way = f"{way}/{part}"
            if os.path.islink(way):  # noqa: PTH114 - some thousand times per command
                return ""
        way = f"{way}/{parts[-1]}"
        return "" if follow and os.path.islink(way) else way  # noqa: PTH114 - as above


def signed(value: int) -> int:
    """An int of 32 bits out of a register."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value & 0x80000000 else value
