"""Observing by seccomp user notification: the kernel parks a thread in the call and asks a listener.

The listener is handed over before the command starts and is not among its descriptors, so a tool that closes
everything it has does not lose it. Signals and job control of the command are left alone.
"""

import array
import errno
import fcntl
import os
import select
import socket
import struct
from collections.abc import Mapping

from racehound.processes.filters import NOTIFY, assemble
from racehound.processes.kernel import NEW_LISTENER, WAIT_KILLABLE, install_filter
from racehound.processes.launch import Launch, Started, start
from racehound.processes.observer import Event, Gone, Stopped
from racehound.processes.reading import Trap
from racehound.processes.syscalls import AUDIT_ARCHITECTURE, machine
from racehound.processes.traps import Wanted

RECEIVE, SEND, SET_FLAGS = 0xC0502100, 0xC0182101, 0x40082104
CONTINUE = 1
WAKE_ON_SAME_PROCESSOR = 1
NOTICE = struct.Struct("=QIIiIQ6Q")
ANSWER = struct.Struct("=QqiI")


class NotifyObserver:
    sees_results = False

    def __init__(self, wanted: Wanted) -> None:
        self._architecture = machine()
        traps = wanted.traps(self._architecture)
        self._program = assemble(AUDIT_ARCHITECTURE[self._architecture], traps, NOTIFY)
        self._listeners: dict[int, int] = {}
        self._notice = bytearray(NOTICE.size)
        self._blank = bytes(NOTICE.size)

    def launch(self, actor: int, launch: Launch) -> Started:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            started = start(launch, lambda: _hand_over(self._program, self._architecture, theirs))
            theirs.close()
            listener = _received(ours)
        if listener is not None:
            self._listeners[actor] = listener
            _wake_fast(listener)
        return started

    def descriptors(self) -> Mapping[int, int]:
        return {listener: actor for actor, listener in self._listeners.items()}

    def receive(self, actor: int) -> Event | None:
        self._notice[:] = self._blank
        try:
            fcntl.ioctl(self._listeners[actor], RECEIVE, self._notice, True)
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.EINTR}:  # the thread was killed, or went to handle a signal
                return None
            raise
        cookie, thread, _flags, number, architecture, _address, *arguments = NOTICE.unpack(self._notice)
        return Stopped(actor, Trap(thread, number, architecture, tuple(arguments), cookie))

    def changed(self, process: int, status: int, cpu: float) -> Event | None:
        return Gone(process, status, cpu)

    def let(self, actor: int, trap: Trap, *, tell: bool) -> bool:
        del tell
        return self._answer(actor, ANSWER.pack(trap.cookie, 0, 0, CONTINUE))

    def refuse(self, actor: int, trap: Trap, error: int) -> None:
        self._answer(actor, ANSWER.pack(trap.cookie, 0, -error, 0))

    def close(self) -> None:
        for listener in self._listeners.values():
            os.close(listener)
        self._listeners.clear()

    def forget(self, actor: int) -> None:
        """The command has no process any more."""
        os.close(self._listeners.pop(actor))

    def _answer(self, actor: int, answer: bytes) -> bool:
        try:
            fcntl.ioctl(self._listeners[actor], SEND, answer)
        except OSError as error:
            if error.errno == errno.ENOENT:
                return False
            raise
        return True


def _hand_over(program: bytes, architecture: str, channel: socket.socket) -> None:
    """Runs in the process that becomes the command."""
    try:
        listener = install_filter(program, architecture, NEW_LISTENER | WAIT_KILLABLE)
    except OSError as error:
        if error.errno != errno.EINVAL:  # kernels before 5.19 know no WAIT_KILLABLE
            raise
        listener = install_filter(program, architecture, NEW_LISTENER)
    rights = array.array("i", [listener])
    channel.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    os.close(listener)


def _received(channel: socket.socket) -> int | None:
    """The listener; None if the command could not be put under the filter."""
    _, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
    return descriptors[0] if descriptors else None


def _wake_fast(listener: int) -> None:
    try:
        fcntl.ioctl(listener, SET_FLAGS, WAKE_ON_SAME_PROCESSOR)
    except OSError:  # a matter of speed alone, and kernels before 6.6 do not know it
        return


def has_ended(events: int) -> bool:
    """Whether a listener says that nobody is left under its filter."""
    return bool(events & select.POLLHUP) and not events & select.POLLIN
