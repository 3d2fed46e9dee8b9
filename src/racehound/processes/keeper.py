"""The process that starts commands, observes them, and cleans up after them.

A process of its own, because it adopts whatever the commands leave behind, waits for any child, and forks: none of
that belongs into the process of whoever uses racehound as a library. It lives as long as the other end of its
channel: when racehound is interrupted or killed, the channel closes, and everything is ended.
"""

import gc
import os
import signal
import socket
import traceback
from contextlib import suppress
from pathlib import Path

from racehound.errors import HarnessError, InternalError, RacehoundError
from racehound.processes.backend import LIMITS, NAMES, Backend
from racehound.processes.channel import receive, send
from racehound.processes.conductor import Conductor
from racehound.processes.dull import Dull
from racehound.processes.fence import Fence
from racehound.processes.kernel import (
    CAP_LINUX_IMMUTABLE,
    PR_CAPBSET_DROP,
    PR_SET_CHILD_SUBREAPER,
    prctl,
)
from racehound.processes.links import Links
from racehound.processes.memory import Memory
from racehound.processes.observer import Observer
from racehound.processes.observers import Observers
from racehound.processes.plan import Answer, AtPoint, Greeting, Inquiry, Plan
from racehound.processes.reading import Reader
from racehound.processes.stage import Abandoned, Stage
from racehound.processes.syscalls import machine
from racehound.processes.traps import Wanted
from racehound.processes.trees import remove
from racehound.processes.trial import trial_plan
from racehound.processes.unobserved import Unobserved


class View:
    """What is made of stopped calls, seen from one sandbox."""

    def __init__(self, root: Path, fence: Fence) -> None:
        self.memory = Memory()
        links = Links()
        self.reader = Reader(str(root), machine(), self.memory, links, fence)
        self.dull = Dull(str(root), machine(), self.memory, links, fence.commons)


class Keeper:
    """Answers plans for the sandbox in `slot`, until the channel closes."""

    def __init__(self, channel: socket.socket, slot: Path, fence: Fence) -> None:
        self._channel = channel
        self._slot = slot
        self._fence = fence
        self._alarm = _alarm()
        self._view = View(slot / "box", fence)
        self._observers = Observers()
        self._tried: dict[str, Backend] = {}

    def serve(self) -> None:
        while True:
            try:
                asked = receive(self._channel)
            except EOFError:
                return
            try:
                send(self._channel, self._answer(asked))
            except Abandoned:
                return

    def _answer(self, asked: object) -> object:
        try:
            match asked:
                case Inquiry():
                    return tuple(self._try(name) for name in NAMES)
                case Plan(observed=False):
                    return self._perform(asked, Unobserved(), self._view)
                case Plan():
                    return self._observe(asked, asked.backend or self._best(), self._view)
            raise TypeError(asked)  # noqa: TRY301 - a defect like any other below
        except RacehoundError as error:
            return error
        except Abandoned:
            raise
        except Exception:  # noqa: BLE001 - raised again, as a defect, in the process that asked
            return InternalError(traceback.format_exc())

    def _observe(self, plan: Plan, name: str, view: View) -> Answer:
        afterwards = plan.at_point is AtPoint.CRASH
        wanted = tuple(
            Wanted(plan.least_detail, afterwards=afterwards, only=plan.kinds(number))
            for number in range(len(plan.launches))
        )
        return self._perform(plan, self._observers.make(name, wanted, view.dull), view)

    def _perform(self, plan: Plan, observer: Observer, view: View) -> Answer:
        stage = Stage(observer, self._channel.fileno(), self._alarm)
        conductor = Conductor(plan, observer, view.reader, stage)
        try:
            return conductor.perform()
        finally:
            conductor.abandon()
            observer.close()
            view.memory.forget()

    def _best(self) -> str:
        for name in NAMES:
            if self._try(name).works:
                return name
        reasons = "; ".join(f"{name}: {self._tried[name].why_not}" for name in NAMES)
        raise HarnessError(f"calls on files cannot be observed here ({reasons})")

    def _try(self, name: str) -> Backend:
        """Observes a small command, and compares what was seen with what it is known to do."""
        if name not in self._tried:
            trouble = self._trouble_of(name)
            self._tried[name] = Backend(name, works=not trouble, why_not=trouble, limits=LIMITS[name])
        return self._tried[name]

    def _trouble_of(self, name: str) -> str:
        place = self._slot / "trial"
        place.mkdir(mode=0o700)
        try:
            (run,) = self._observe(trial_plan(place), name, View(place, self._fence)).runs
        except (OSError, RacehoundError) as error:
            return str(error)
        finally:
            remove(place)
        seen = any(call.name == "open-truncate" and call.path == "file" for call in run.calls)
        return "" if seen else "the calls of a command on trial were not seen"


def _alarm() -> int:
    """Becomes readable when a child changes its state."""
    ours, theirs = os.pipe()
    for end in (ours, theirs):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    return ours


def _keep_files_removable() -> None:
    """No command can set the flags that forbid to change a file, with which no sandbox can be brought back."""
    with suppress(PermissionError):  # whoever may not give the right up does not have it
        prctl(PR_CAPBSET_DROP, CAP_LINUX_IMMUTABLE)


def keep(channel: socket.socket, slot: Path, fence: Fence) -> None:
    """Serves as long as somebody is at the other end of the channel, who is told first who this is."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    os.umask(0o022)
    gc.freeze()
    _keep_files_removable()
    fence.enclose()
    with suppress(ConnectionError):  # whoever asked has ended, by Ctrl-C perhaps, and nobody waits for an answer
        send(channel, Greeting(os.getpid(), private=bool(fence.commons.places)))
        Keeper(channel, slot, fence).serve()
