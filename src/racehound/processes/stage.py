"""Everything the keeper listens to while commands run, as one stream of events."""

import os
import select
import signal
import time
from collections.abc import Iterable, Iterator

from racehound.processes import procfs
from racehound.processes.observer import Event, Observer
from racehound.processes.output import Output

ENDING_SECONDS = 5.0
DULL_AT_ONCE = 200
"""Calls of no interest that are let go before anything else is looked after."""


class Abandoned(Exception):
    """Whoever asked for the run is gone."""


class Stage:
    """`control` is the channel to whoever asked; `alarm` becomes readable when a child changes its state."""

    def __init__(self, observer: Observer, control: int, alarm: int) -> None:
        self._observer = observer
        self._control = control
        self._alarm = alarm
        self.silent = False
        self._outputs: dict[int, Output] = {}
        self._listeners: dict[int, int] = {}
        self._poll = select.poll()
        for descriptor in (control, alarm):
            self._poll.register(descriptor, select.POLLIN)

    def listen(self, outputs: list[Output]) -> None:
        """Attends to a command that was just started."""
        for output in outputs:
            self._outputs[output.descriptor] = output
            self._poll.register(output.descriptor, select.POLLIN)
        for descriptor, actor in self._observer.descriptors().items():
            self._listeners[descriptor] = actor
            self._poll.register(descriptor, select.POLLIN)

    def events(self, seconds: float) -> Iterable[Event]:
        """What happens next; `silent` tells afterwards whether nothing happened within `seconds`."""
        for _ in range(DULL_AT_ONCE):
            ready = self._poll.poll(seconds * 1000)
            self.silent = not ready
            actor = self._listeners.get(ready[0][0]) if len(ready) == 1 else None
            if actor is None:
                return self._all_of(ready)
            event = self._observer.receive(actor)
            if event is not None:
                return (event,)
        return ()

    def has_news(self) -> bool:
        """Whether something has happened that `events` has not told yet."""
        return bool(self._poll.poll(0))

    def _all_of(self, ready: list[tuple[int, int]]) -> Iterator[Event]:
        for descriptor, _ in ready:
            if descriptor in self._listeners:
                event = self._observer.receive(self._listeners[descriptor])
                if event is not None:
                    yield event
            elif descriptor in self._outputs:
                self._drain(descriptor)
            elif descriptor == self._alarm:
                os.read(self._alarm, 4096)
                yield from self.reap()
            else:
                raise Abandoned

    def reap(self) -> Iterator[Event]:
        """Every change of state of a child that the kernel has to tell."""
        while True:
            try:
                process, status, usage = os.wait4(-1, os.WNOHANG | procfs.WALL)
            except ChildProcessError:
                return
            if process == 0:
                return
            event = self._observer.changed(process, status, usage.ru_utime + usage.ru_stime)
            if event is not None:
                yield event

    def end_all(self) -> Iterator[Event]:
        """Kills everything that commands started, and goes on until nothing is left."""
        deadline = time.monotonic() + ENDING_SECONDS
        while time.monotonic() < deadline:
            children = procfs.own_children()
            if not children:
                return
            for process in (*children, *(below for child in children for below in procfs.descendants(child))):
                _kill(process)
            for descriptor, _ in self._poll.poll(10):
                if descriptor == self._alarm:
                    os.read(self._alarm, 4096)
            yield from self.reap()

    def _drain(self, descriptor: int) -> None:
        if not self._outputs[descriptor].drain():
            self._poll.unregister(descriptor)
            del self._outputs[descriptor]


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:  # it ended by itself just now
        return
