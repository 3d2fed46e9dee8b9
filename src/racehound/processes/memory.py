"""Reading what the arguments of a stopped call point to."""

import ctypes
import os
from typing import Final

from racehound.processes.kernel import Vector, process_vm_readv

PAGE = 4096
FIRST_LOOK = 256
LONGEST = 4096
"""PATH_MAX: the kernel accepts no longer path."""


class Memory:
    """One buffer for all reads: paths are read some thousand times per command."""

    def __init__(self) -> None:
        self._buffer = ctypes.create_string_buffer(LONGEST)
        self._address: Final = ctypes.addressof(self._buffer)
        self._local = (Vector * 1)()
        self._remote = (Vector * 2)()
        self.failed = False
        """Whether a path could not be read since this was last set to False."""

    def read(self, process: int, address: int, length: int) -> bytes:
        """Up to `length` bytes; fewer where the memory ends, none where it cannot be read.

        A part that crosses into a page that is not mapped fails as a whole, so parts end with the page.
        """
        in_page = min(length, PAGE - address % PAGE)
        self._local[0].address, self._local[0].length = self._address, length
        self._remote[0].address, self._remote[0].length = address, in_page
        self._remote[1].address, self._remote[1].length = address + in_page, length - in_page
        count = process_vm_readv(process, self._local, self._remote, 1 if in_page == length else 2)
        return ctypes.string_at(self._address, count) if count > 0 else b""

    def peek(self, process: int, address: int) -> bytes:
        """The path at `address` as cheaply as possible; empty if that takes more than one look."""
        self._remote[0].address = address
        self._remote[0].length = length = min(FIRST_LOOK, PAGE - address % PAGE)
        self._local[0].address, self._local[0].length = self._address, length
        count = process_vm_readv(process, self._local, self._remote, 1)
        if count <= 0:
            return b""
        found, end, _ = ctypes.string_at(self._address, count).partition(b"\0")
        return found if end else b""

    def text(self, process: int, address: int) -> str | None:
        """The path at `address`; None if it cannot be read."""
        for length in (FIRST_LOOK, LONGEST):
            found, end, _ = self.read(process, address, length).partition(b"\0")
            if end:
                return os.fsdecode(found)
        self.failed = True
        return None
