"""Signals that reach the runner are meant for the command it runs."""

import os
import signal
import subprocess
import threading
from types import FrameType, TracebackType
from typing import Self

from racehound.guard.cancelled import Cancelled

_FORWARDED = (
    signal.SIGTERM,
    signal.SIGINT,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
)
_FROM_KEYBOARD = frozenset({signal.SIGINT, signal.SIGQUIT})


class SignalRelay:
    """Sends signals on to the running command; raises `Cancelled` when there is none.

    Python runs signal handlers in the main thread only, so in any other thread this does nothing.
    """

    def __init__(self) -> None:
        self.received: list[int] = []
        self._previous: dict[signal.Signals, object] = {}
        self._command: subprocess.Popen[bytes] | None = None
        self._is_starting = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._previous = {number: signal.signal(number, self._handle) for number in _FORWARDED}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)  # type: ignore[arg-type] # what signal.signal gave back

    def starting(self) -> None:
        """From here on a signal belongs to the command, even before its process id is known."""
        self._is_starting = True

    def started(self, command: subprocess.Popen[bytes]) -> None:
        self._command = command
        self._is_starting = False
        for number in self.received:
            self._forward(number)

    def ended(self) -> None:
        self._command = None
        self._is_starting = False

    def _handle(self, number: int, frame: FrameType | None) -> None:
        del frame
        self.received.append(number)
        if self._command is not None:
            self._forward(number)
        elif not self._is_starting:
            raise Cancelled(number)

    def _forward(self, number: int) -> None:
        # The terminal has already sent its signals to every process in the foreground group. A tool
        # that takes a second Ctrl-C for "at once, without cleaning up" must not get one from us.
        if self._command is not None and not (number in _FROM_KEYBOARD and _is_in_foreground()):
            self._command.send_signal(number)


def _is_in_foreground() -> bool:
    try:
        terminal = os.open(os.ctermid(), os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    finally:
        os.close(terminal)
