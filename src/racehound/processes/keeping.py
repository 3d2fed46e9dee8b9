"""Racehound's end of the channel to the keeper process."""

import socket
import subprocess
import sys

from racehound.errors import HarnessError, InternalError, RacehoundError
from racehound.processes.backend import Backend
from racehound.processes.channel import receive, send
from racehound.processes.commons import NONE, Commons
from racehound.processes.plan import Answer, Greeting, Inquiry, Plan
from racehound.processes.slots import Slot
from racehound.processes.sweeping import sweep

CLOSING_SECONDS = 10.0


class Keeping:
    """A keeper at work for one sandbox. The slot's lock is its as well: it may outlive us for a moment."""

    def __init__(self, slot: Slot, commons: Commons = NONE) -> None:
        self._box = slot.box
        self._greeting: Greeting | None = None
        self._channel, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "racehound.processes.janitor",
                    str(theirs.fileno()),
                    str(slot.directory),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(), slot.lock),
                start_new_session=True,
            )
        send(self._channel, commons)

    @property
    def janitor(self) -> int:
        """The process that is there until everything is removed."""
        return self._process.pid

    @property
    def process(self) -> int:
        return self.greeting.process

    @property
    def greeting(self) -> Greeting:
        """Waited for when it is first asked for: the keeper starts while a sandbox is filled."""
        if self._greeting is None:
            said = self._hear()
            assert isinstance(said, Greeting)  # noqa: S101 - the keeper is ours
            self._greeting = said
        return self._greeting

    def perform(self, plan: Plan) -> Answer:
        answer = self._ask(plan)
        assert isinstance(answer, Answer)  # noqa: S101 - the keeper is ours
        return answer

    def backends(self) -> tuple[Backend, ...]:
        answer = self._ask(Inquiry())
        assert isinstance(answer, tuple)  # noqa: S101 - the keeper is ours
        return answer

    def _ask(self, asked: Plan | Inquiry) -> object:
        assert self.greeting  # noqa: S101 - what was said first is heard first
        return self._hear(asked)

    def _hear(self, asked: Plan | Inquiry | None = None) -> object:
        try:
            if asked is not None:
                send(self._channel, asked)
            answer = receive(self._channel)
        except (EOFError, OSError) as error:
            self._channel.close()
            raise HarnessError("the process that observes commands has ended", hint="try again") from error
        except BaseException:
            # Interrupted: the answer would be taken for that of the next plan.
            self._channel.close()
            raise
        if isinstance(answer, RacehoundError | InternalError):
            raise answer
        return answer

    def close(self) -> None:
        """Ends whatever still runs, and the keeper."""
        self._channel.close()
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.returncode:
            sweep(self._box)
