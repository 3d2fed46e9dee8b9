"""Threads that start commands under a filter without a fork of the whole interpreter.

A filter belongs to the thread that installs it and to everything the thread starts. So a thread puts itself under
the filter once, and each command is then started with posix_spawn, several times cheaper than a fork that copies
the page tables of an interpreter only to throw them away.

The thread itself, and the moment between its spawning and the command's first instruction, must not be stopped:
the interpreter is locked meanwhile, and nobody could answer. The filter leaves calls alone that come from the C
library of this very process, by their address. A command has its own copy of the library, at an address that the
kernel draws at random when the command is started.
"""

import errno
import re
import threading
from pathlib import Path
from queue import SimpleQueue

from racehound.processes.filters import NOTIFY, assemble
from racehound.processes.kernel import (
    NEW_LISTENER,
    WAIT_KILLABLE,
    address_of_library,
    install_filter,
    personality,
)
from racehound.processes.launch import Launch, Started, spawn
from racehound.processes.syscalls import AUDIT_ARCHITECTURE, machine
from racehound.processes.traps import Wanted

MAPPING = re.compile(r"(?P<start>[0-9a-f]+)-(?P<end>[0-9a-f]+) r.x")
RANDOMIZED = Path("/proc/sys/kernel/randomize_va_space")
ADDRESSES_ARE_FIXED = 0x0040000


class Starter:
    """A thread under a filter of its own; `listener` hears of every call that the filter stops."""

    def __init__(self, wanted: Wanted) -> None:
        traps = wanted.traps(machine())
        self._program = assemble(AUDIT_ARCHITECTURE[machine()], traps, NOTIFY, own_library())
        self._orders: SimpleQueue[Launch] = SimpleQueue()
        self._results: SimpleQueue[Started | int | Exception] = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()
        listener = self._results.get()
        if not isinstance(listener, int):
            raise listener if isinstance(listener, Exception) else TypeError(listener)
        self.listener = listener

    def start(self, launch: Launch) -> Started:
        self._orders.put(launch)
        started = self._results.get()
        if not isinstance(started, Started):
            raise started if isinstance(started, Exception) else TypeError(started)
        return started

    def _work(self) -> None:
        try:
            self._results.put(_listen(self._program))
        except OSError as error:
            self._results.put(error)
            return
        while True:
            try:
                self._results.put(spawn(self._orders.get()))
            except Exception as error:  # noqa: BLE001 - raised again in the thread that asked
                self._results.put(error)


def _listen(program: bytes) -> int:
    try:
        return install_filter(program, machine(), NEW_LISTENER | WAIT_KILLABLE)
    except OSError as error:
        if error.errno != errno.EINVAL:  # kernels before 5.19 know no WAIT_KILLABLE
            raise
    return install_filter(program, machine(), NEW_LISTENER)


def own_library() -> range:
    """The addresses of the C library's code in this process."""
    inside = address_of_library()
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        found = MAPPING.match(line)
        if found and int(found["start"], 16) <= inside < int(found["end"], 16):
            return range(int(found["start"], 16), int(found["end"], 16))
    raise OSError(errno.ENOENT, "the C library is not among the mappings of this process")


def addresses_are_random() -> bool:
    """Whether a new program certainly gets its library elsewhere."""
    fixed = personality() & ADDRESSES_ARE_FIXED
    return not fixed and RANDOMIZED.read_text(encoding="utf-8").strip() != "0"
