"""One start of the command."""

import os
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from racehound.guard.errors import GuardError
from racehound.guard.runner.relay import STDERR, STDOUT, Relay, pump
from racehound.guard.runner.signals import SignalRelay


class CommandNotStarted(GuardError):
    """The program is absent (exit status 127, as in a shell) or cannot be executed (126)."""

    code = "COMMAND_NOT_STARTED"
    exit_status = 127
    suggestion = "Check the name of the program and the PATH"


@dataclass(frozen=True, slots=True)
class Child:
    argv: Sequence[str]
    environment: Mapping[str, str]
    signals: SignalRelay

    def run(self, relay: Relay) -> int:
        """Exit status in the words of a shell: 128 and the number of the signal that killed it."""
        command = self._start(subprocess.PIPE)
        with _pumping(command, relay):
            return self._wait(command)

    def run_attached(self) -> int:
        """Like `run`, with our own terminal and pipes."""
        return self._wait(self._start(None))

    def _start(self, pipe: int | None) -> subprocess.Popen[bytes]:
        self.signals.starting()
        try:
            # Descriptors of Python are close-on-exec; those our caller made inheritable are for the command.
            command = subprocess.Popen(self.argv, env=self.environment, stdout=pipe, stderr=pipe, close_fds=False)
        except OSError as error:
            self.signals.ended()
            status = 127 if isinstance(error, FileNotFoundError) else 126
            message = f"{self.argv[0]}: {error.strerror}"
            raise CommandNotStarted(message, exit_status=status) from error
        self.signals.started(command)
        return command

    def _wait(self, command: subprocess.Popen[bytes]) -> int:
        status = command.wait()
        self.signals.ended()
        return status if status >= 0 else 128 - status


@contextmanager
def _pumping(command: subprocess.Popen[bytes], relay: Relay) -> Iterator[None]:
    ended, end = os.pipe()
    pumps = [
        threading.Thread(target=pump, args=(pipe, stream, relay, ended), daemon=True)
        for pipe, stream in ((command.stdout, STDOUT), (command.stderr, STDERR))
    ]
    for thread in pumps:
        thread.start()
    try:
        yield
    finally:
        os.close(end)
        for thread in pumps:
            thread.join()
        os.close(ended)
