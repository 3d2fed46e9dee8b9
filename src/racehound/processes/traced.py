"""Observing by ptrace, for systems that do not offer seccomp notification.

With a filter in the kernel only the calls that matter stop; without one every call does, twice. Unlike a
notification, a trace also tells what a call returned. It cannot follow a command that traces others itself.
"""

import errno
import os
import signal
import struct
from collections.abc import Mapping
from enum import IntEnum

from racehound.processes import procfs
from racehound.processes.conditions import holds
from racehound.processes.filters import FOREIGN_BIT, TRACE, assemble
from racehound.processes.kernel import RegisterValue, TraceBuffer, install_filter, ptrace
from racehound.processes.launch import Launch, Started, start
from racehound.processes.observer import Event, Gone, IsDull, Returned, Stopped
from racehound.processes.reading import Trap
from racehound.processes.syscalls import AUDIT_ARCHITECTURE, machine
from racehound.processes.traps import Wanted

INFO = struct.Struct("=B3xIQQ7Q")
RETURNED = struct.Struct("=B3xIQQq")
AT_ENTRY, AT_EXIT, AT_SECCOMP = 1, 2, 3
SYSCALL_STOP = signal.SIGTRAP | 0x80
RESULT, ORIGINAL_NUMBER = 10 * 8, 15 * 8
"""Where x86_64 keeps what a call returns and its number; -1 as number keeps the call from happening."""
SYSTEM_CALL_REGISTER = 0x404
"""The same for aarch64, which calls it NT_ARM_SYSTEM_CALL."""
NO_CALL = RegisterValue(-1)


class Request(IntEnum):
    TRACEME = 0
    POKEUSER = 6
    CONT = 7
    SYSCALL = 24
    SETOPTIONS = 0x4200
    GETEVENTMSG = 0x4201
    SETREGSET = 0x4205
    GET_SYSCALL_INFO = 0x420E


class Happening(IntEnum):
    """Stops that are no signals."""

    FORK = 1
    VFORK = 2
    CLONE = 3
    EXEC = 4
    SECCOMP = 7


SYSGOOD, EXITKILL = 1, 1 << 20
OPTIONS = SYSGOOD | EXITKILL | sum(1 << happening for happening in Happening)
NEWCOMERS = {Happening.FORK, Happening.VFORK, Happening.CLONE}


class TracedObserver:
    """`filtered` chooses whether a filter in the kernel picks the calls that stop."""

    sees_results = True

    def __init__(self, wanted: Wanted, is_dull: IsDull, *, filtered: bool) -> None:
        self._traps = wanted.traps(machine())
        self._architecture = AUDIT_ARCHITECTURE[machine()]
        self._program = assemble(self._architecture, self._traps, TRACE) if filtered else b""
        self._is_dull = is_dull
        self._actors: dict[int, int] = {}
        """Whose thread it is."""
        self._commands: set[int] = set()
        self._early: set[int] = set()
        """Threads that stopped before whoever started them told of it."""
        self._unborn: set[int] = set()
        """Commands that are still on the way to their first program."""
        self._telling: set[int] = set()
        """Threads whose call is to be reported when it returns."""
        self._buffer = TraceBuffer(INFO.size)

    def launch(self, actor: int, launch: Launch) -> Started:
        started = start(launch, self._prepare)
        os.waitpid(started.process, procfs.WALL)
        self._actors[started.process] = actor
        self._commands.add(started.process)
        self._unborn.add(started.process)
        ptrace(Request.SETOPTIONS, started.process, 0, OPTIONS)
        self._go(started.process)
        return started

    def _prepare(self) -> None:
        """Runs in the process that becomes the command."""
        ptrace(Request.TRACEME, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        if self._program:
            install_filter(self._program, machine(), 0)

    def descriptors(self) -> Mapping[int, int]:
        return {}

    def receive(self, actor: int) -> Event | None:
        raise AssertionError(f"command {actor} has no descriptor to hear from")

    def changed(self, process: int, status: int, cpu: float) -> Event | None:
        if not os.WIFSTOPPED(status):
            return self._ended(process, status, cpu)
        if process not in self._actors:
            self._early.add(process)
            return None
        try:
            return self._stopped(process, os.WSTOPSIG(status), status >> 16)
        except OSError as error:
            if error.errno != errno.ESRCH:  # killed while it was stopped
                raise
            return None

    def let(self, actor: int, trap: Trap, *, tell: bool) -> bool:
        del actor
        if tell:
            self._telling.add(trap.thread)
        try:
            self._go(trap.thread, to_exit=tell)
        except OSError as error:
            if error.errno != errno.ESRCH:
                raise
            return False
        return trap.thread in self._actors

    def refuse(self, actor: int, trap: Trap, error: int) -> None:
        """On aarch64 every error is that of a call which the system does not know."""
        if machine() == "x86_64":
            ptrace(Request.POKEUSER, trap.thread, ORIGINAL_NUMBER, -1 & 0xFFFFFFFFFFFFFFFF)
            ptrace(Request.POKEUSER, trap.thread, RESULT, -error & 0xFFFFFFFFFFFFFFFF)
        else:
            ptrace(Request.SETREGSET, trap.thread, SYSTEM_CALL_REGISTER, NO_CALL.address)
        self.let(actor, trap, tell=False)

    def close(self) -> None:
        self._actors.clear()

    def _ended(self, process: int, status: int, cpu: float) -> Event:
        """A tracer hears of every process, but the time of a child is already part of its parent's."""
        self._telling.discard(process)
        self._actors.pop(process, None)
        first = process in self._commands
        self._commands.discard(process)
        return Gone(process, status, cpu if first else 0.0)

    def _stopped(self, thread: int, number: int, happening: int) -> Event | None:
        if number == SYSCALL_STOP or happening == Happening.SECCOMP:
            return self._at_call(thread)
        if happening in NEWCOMERS:
            self._welcome(thread)
        elif happening == Happening.EXEC:
            self._unborn.discard(thread)
        is_signal = not happening and number not in {signal.SIGSTOP, signal.SIGTRAP}
        self._go(thread, number if is_signal else 0)
        return None

    def _welcome(self, parent: int) -> None:
        self._buffer.zero()
        ptrace(Request.GETEVENTMSG, parent, 0, self._buffer.address)
        (child,) = struct.unpack_from("=Q", self._buffer.content())
        self._actors[child] = self._actors[parent]
        if child in self._early:
            self._early.discard(child)
            self._go(child)

    def _at_call(self, thread: int) -> Event | None:
        ptrace(Request.GET_SYSCALL_INFO, thread, INFO.size, self._buffer.address)
        content = self._buffer.content()
        operation, architecture, _, _, number, *arguments = INFO.unpack(content)
        if operation == AT_EXIT:
            return self._at_exit(thread, RETURNED.unpack_from(content)[4])
        if thread in self._unborn or self._passes(thread, architecture, number, arguments):
            self._go(thread)
            return None
        return Stopped(self._actors[thread], Trap(thread, number, architecture, tuple(arguments)))

    def _at_exit(self, thread: int, result: int) -> Event | None:
        told = thread in self._telling
        self._telling.discard(thread)
        self._go(thread)
        return Returned(self._actors[thread], thread, result) if told else None

    def _passes(self, thread: int, architecture: int, number: int, arguments: list[int]) -> bool:
        if architecture != self._architecture or number & FOREIGN_BIT:
            return False
        conditions = self._traps.get(number)
        if conditions is None or not all(holds(condition, tuple(arguments)) for condition in conditions):
            return True
        return self._is_dull(thread, number, arguments)

    def _go(self, thread: int, number: int = 0, *, to_exit: bool = False) -> None:
        whole = to_exit or not self._program
        ptrace(Request.SYSCALL if whole else Request.CONT, thread, 0, number)
