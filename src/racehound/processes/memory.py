"""Reading what the arguments of a stopped call point to.

The memory of a thread stays open as a file between its calls: that is several times cheaper than to ask anew. When
a program takes the place of another, what was opened leads to the old memory. As a rule that is gone, and a read
gives nothing; but a process that was started by vfork has used the memory of its parent, which lives on. Whoever
sees that a program is to be started has to `forget`.
"""

import os

FIRST_LOOK = 256
LONGEST = 4096
"""PATH_MAX: the kernel accepts no longer path."""
MOST_OPEN = 64


class Memory:
    def __init__(self) -> None:
        self._open: dict[int, int] = {}
        """Descriptors by thread."""
        self.failed = False
        """Whether a path could not be read since this was last set to False."""

    def read(self, thread: int, address: int, length: int) -> bytes:
        """Up to `length` bytes; fewer where the memory ends, none where it cannot be read."""
        descriptor = self._open.get(thread)
        try:
            found = b"" if descriptor is None else os.pread(descriptor, length, address)
            return found or os.pread(self._opened(thread), length, address)
        except (OSError, OverflowError):  # no such address, or no right to look
            return b""

    def peek(self, thread: int, address: int) -> bytes:
        """The path at `address` as cheaply as possible; empty if that takes more than one look."""
        try:
            found, end, _ = os.pread(self._open[thread], FIRST_LOOK, address).partition(b"\0")
        except (KeyError, OSError, OverflowError):
            end = b""
        if not end:
            found, end, _ = self.read(thread, address, FIRST_LOOK).partition(b"\0")
        return found if end else b""

    def text(self, thread: int, address: int) -> str | None:
        """The path at `address`; None if it cannot be read."""
        for length in (FIRST_LOOK, LONGEST):
            found, end, _ = self.read(thread, address, length).partition(b"\0")
            if end:
                return os.fsdecode(found)
        self.failed = True
        return None

    def forget(self) -> None:
        """To be called before a program is started, and when a run is over."""
        for descriptor in self._open.values():
            os.close(descriptor)
        self._open.clear()

    def _opened(self, thread: int) -> int:
        stale = self._open.pop(thread, None)
        if stale is not None:
            os.close(stale)
        if len(self._open) >= MOST_OPEN:
            self.forget()
        self._open[thread] = descriptor = os.open(f"/proc/{thread}/mem", os.O_RDONLY | os.O_CLOEXEC)
        return descriptor
