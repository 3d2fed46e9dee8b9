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
from racehound.processes.kernel import PR_SET_CHILD_SUBREAPER, prctl
from racehound.processes.notify import NotifyObserver
from racehound.processes.observer import Observer
from racehound.processes.plan import Answer, AtPoint, Plan
from racehound.processes.reading import Reader
from racehound.processes.stage import Abandoned, Stage
from racehound.processes.syscalls import machine
from racehound.processes.traps import Wanted
from racehound.processes.trees import empty_directory
from racehound.processes.unobserved import Unobserved


def serve(channel: socket.socket, root: str) -> None:
    """Answers plans until the channel closes."""
    alarm = _alarm()
    while True:
        try:
            plan = receive(channel)
        except EOFError:
            return
        if not isinstance(plan, Plan):
            raise TypeError(plan)
        try:
            answer: object = _perform(plan, channel, alarm, root)
        except Abandoned:
            return
        except RacehoundError as error:
            answer = error
        send(channel, answer)


def _perform(plan: Plan, channel: socket.socket, alarm: int, root: str) -> Answer:
    observer = observer_for(plan)
    stage = Stage(observer, channel.fileno(), alarm)
    conductor = Conductor(plan, observer, Reader(root, machine()), stage)
    try:
        return conductor.perform()
    finally:
        conductor.abandon()
        observer.close()


def observer_for(plan: Plan) -> Observer:
    if not plan.observed:
        return Unobserved()
    return NotifyObserver(Wanted(plan.least_detail, afterwards=plan.at_point is AtPoint.CRASH))


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
    gc.freeze()
    with socket.socket(fileno=descriptor) as channel:
        channel.set_inheritable(False)
        try:
            serve(channel, str(slot / "box"))
        finally:
            empty_directory(slot)
            slot.rmdir()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
