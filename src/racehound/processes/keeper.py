"""The process that starts commands, observes them, and cleans up after them.

A process of its own, because it adopts whatever the commands leave behind, waits for any child, and forks: none of
that belongs into the process of whoever uses racehound as a library. It lives as long as the other end of its
channel: when racehound is interrupted or killed, the channel closes, and everything is ended and removed.
"""

import gc
import os
import signal
import socket
import sys
from pathlib import Path

from racehound.errors import RacehoundError
from racehound.processes.channel import receive, send
from racehound.processes.conductor import Conductor
from racehound.processes.dull import Dull
from racehound.processes.kernel import PR_SET_CHILD_SUBREAPER, prctl
from racehound.processes.notify import Listeners, NotifyObserver
from racehound.processes.observer import Observer
from racehound.processes.plan import Answer, AtPoint, Plan
from racehound.processes.reading import Reader
from racehound.processes.stage import Abandoned, Stage
from racehound.processes.syscalls import machine
from racehound.processes.traps import Wanted
from racehound.processes.trees import empty_directory
from racehound.processes.unobserved import Unobserved


class Keeper:
    """Answers plans for the sandbox at `root`, until the channel closes."""

    def __init__(self, channel: socket.socket, root: str) -> None:
        self._channel = channel
        self._root = root
        self._alarm = _alarm()
        self._reader = Reader(root, machine())
        self._dull = Dull(root, machine())
        self._listeners = Listeners()

    def serve(self) -> None:
        while True:
            try:
                plan = receive(self._channel)
            except EOFError:
                return
            if not isinstance(plan, Plan):
                raise TypeError(plan)
            try:
                answer: object = self.perform(plan)
            except Abandoned:
                return
            except RacehoundError as error:
                answer = error
            send(self._channel, answer)

    def perform(self, plan: Plan) -> Answer:
        observer = self._observer_for(plan)
        stage = Stage(observer, self._channel.fileno(), self._alarm)
        conductor = Conductor(plan, observer, self._reader, stage)
        try:
            return conductor.perform()
        finally:
            conductor.abandon()
            observer.close()

    def _observer_for(self, plan: Plan) -> Observer:
        if not plan.observed:
            return Unobserved()
        wanted = Wanted(plan.least_detail, afterwards=plan.at_point is AtPoint.CRASH)
        return NotifyObserver(self._listeners, wanted, self._dull)


def _alarm() -> int:
    """Becomes readable when a child changes its state."""
    ours, theirs = os.pipe()
    for end in (ours, theirs):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    return ours


def main(descriptor: int, slot: Path) -> None:
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    os.umask(0o022)
    gc.freeze()
    with socket.socket(fileno=descriptor) as channel:
        channel.set_inheritable(False)
        try:
            Keeper(channel, str(slot / "box")).serve()
        finally:
            empty_directory(slot)
            slot.rmdir()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
