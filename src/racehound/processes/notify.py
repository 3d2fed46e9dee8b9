"""Observing by seccomp user notification: the kernel parks a thread in the call and asks a listener.

The listener is not among the descriptors of the command, so a tool that closes everything it has does not lose it.
Signals and job control of the command are left alone.
"""

import errno
import fcntl
import struct
from collections.abc import Mapping

from racehound.processes.launch import Launch, Started
from racehound.processes.observer import Event, Gone, IsDull, Stopped
from racehound.processes.reading import Trap
from racehound.processes.starter import Starter
from racehound.processes.syscalls import AUDIT_ARCHITECTURE, machine
from racehound.processes.traps import Wanted

RECEIVE, SEND, SET_FLAGS = 0xC0502100, 0xC0182101, 0x40082104
CONTINUE = 1
WAKE_ON_SAME_PROCESSOR = 1
NOTICE = struct.Struct("=QIIiIQ6Q")
BLANK = bytes(NOTICE.size)
"""The kernel takes an empty notice alone."""
ANSWER = struct.Struct("=QqiI")


class Listeners:
    """Starters by what they stop at; made when first needed, kept for all runs."""

    def __init__(self) -> None:
        self._starters: dict[tuple[Wanted, int], Starter] = {}

    def starter(self, wanted: Wanted, actor: int) -> Starter:
        if (wanted, actor) not in self._starters:
            starter = self._starters[wanted, actor] = Starter(wanted)
            _wake_fast(starter.listener)
        return self._starters[wanted, actor]


class NotifyObserver:
    sees_results = False

    def __init__(self, listeners: Listeners, wanted: tuple[Wanted, ...], is_dull: IsDull) -> None:
        self._listeners = listeners
        self._wanted = wanted
        self._is_dull = is_dull
        self._architecture = AUDIT_ARCHITECTURE[machine()]
        self._used: dict[int, int] = {}

    def launch(self, actor: int, launch: Launch) -> Started:
        starter = self._listeners.starter(self._wanted[actor], actor)
        self._used[actor] = starter.listener
        return starter.start(launch)

    def descriptors(self) -> Mapping[int, int]:
        return {listener: actor for actor, listener in self._used.items()}

    def receive(self, actor: int) -> Event | None:
        listener = self._used[actor]
        try:
            notice = fcntl.ioctl(listener, RECEIVE, BLANK)
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.EINTR}:  # the thread was killed, or went to handle a signal
                return None
            raise
        cookie, thread, _, number, architecture, _, *arguments = NOTICE.unpack(notice)
        if architecture == self._architecture and self._is_dull(thread, number, arguments):
            self._answer(listener, ANSWER.pack(cookie, 0, 0, CONTINUE))
            return None
        return Stopped(actor, Trap(thread, number, architecture, tuple(arguments), cookie))

    def changed(self, process: int, status: int, cpu: float) -> Event | None:
        return Gone(process, status, cpu)

    def let(self, actor: int, trap: Trap, *, tell: bool) -> bool:
        del tell
        return self._answer(self._used[actor], ANSWER.pack(trap.cookie, 0, 0, CONTINUE))

    def refuse(self, actor: int, trap: Trap, error: int) -> None:
        self._answer(self._used[actor], ANSWER.pack(trap.cookie, 0, -error, 0))

    def close(self) -> None:
        """The listeners serve the next run as well."""
        self._used.clear()

    def _answer(self, listener: int, answer: bytes) -> bool:
        try:
            fcntl.ioctl(listener, SEND, answer)
        except OSError as error:
            if error.errno == errno.ENOENT:
                return False
            raise
        return True


def _wake_fast(listener: int) -> None:
    try:
        fcntl.ioctl(listener, SET_FLAGS, WAKE_ON_SAME_PROCESSOR)
    except OSError:  # a matter of speed alone, and kernels before 6.6 do not know it
        return
