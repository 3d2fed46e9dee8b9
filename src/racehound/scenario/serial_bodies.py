"""Bodies that run whole operations one after the other.

Each task keeps its own thread or coroutine, as it has when they overlap: thread-local state, context variables and
the identity of the thread are part of what an operation does. What an operation leaves running in the background
either comes to rest before the next operation begins or goes on beside it; both are serial.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from racehound.engine.control import CONTROL
from racehound.engine.execution import Abort, StrandSlot
from racehound.engine.operation import Kind, Operation
from racehound.primitives.event_loop import ControlledLoop
from racehound.primitives.hosting import Hosted, Job

PATIENCE = 500
"""How often a task looks whether the background has come to rest; one that never does is not waited for."""

Perform = Callable[[], object]


class Turns:
    """Whose turn it is in a serial run."""

    def __init__(self, tasks: int, slots: int, *, rested: bool, rests_at_last: bool = False) -> None:
        self._tasks = tasks
        self._slots = slots
        self.rested = rested
        self._rests_at_last = rests_at_last
        """Whether what the last operations left behind comes to rest, too, before all is over."""
        self._turn = 0
        self._looks = 0
        self.was_busy = False
        """Whether an operation left something behind that could go on when the next was to begin."""

    def wait_for(self, slot: int) -> None:
        execution = CONTROL.here()
        if execution is not None:
            execution.step(Operation(Kind.YIELD, (), ready=lambda: self._turn == slot and self._may_begin()))

    def wait_for_the_end(self) -> None:
        execution = CONTROL.here()
        if execution is not None and self._rests_at_last:
            execution.step(Operation(Kind.YIELD, (), ready=lambda: self._turn == self._slots and self._rests()))

    def next(self) -> None:
        self._turn += 1
        self._looks = 0

    def _may_begin(self) -> bool:
        execution = CONTROL.execution
        if execution is None or not execution.alive.is_busy_beyond(self._tasks):
            return True
        self.was_busy = True
        return not self.rested or self._rests()

    def _rests(self) -> bool:
        """Whether nothing in the background can go on, or has been waited for long enough."""
        execution = CONTROL.execution
        self._looks += 1
        return execution is None or not execution.alive.is_busy_beyond(self._tasks) or self._looks > PATIENCE


def thread_body(performs: Sequence[Perform], slots: Sequence[int], turns: Turns) -> Callable[[], None]:
    """Each operation in its turn, until one of them raises."""

    def body() -> None:
        failed = False
        for slot, perform in zip(slots, performs, strict=True):
            turns.wait_for(slot)
            if not failed:
                failed = fails(perform)
            turns.next()
        turns.wait_for_the_end()

    return body


def refused(perform: Perform) -> Perform:
    """The operation, with every lock refused that it only tries for."""

    def performed() -> object:
        execution = CONTROL.here()
        if execution is not None:
            execution.refusing = True
        try:
            return perform()
        finally:
            if execution is not None:
                execution.refusing = False

    return performed


def fails(perform: Perform) -> bool:
    """Run an operation; whether it raises."""
    try:
        perform()
    except Exception:  # noqa: BLE001 - whatever the code under proof raises is its result
        return True
    return False


def alone(performs: Sequence[Perform]) -> Callable[[], None]:
    """All operations in one thread, which takes itself for the main thread."""

    def body() -> None:
        execution = CONTROL.here()
        if execution is None:
            raise Abort
        with execution.appearing_as(threading.main_thread()):
            for perform in performs:
                perform()

    return body


AsyncPerform = Callable[[], Coroutine[Any, Any, object]]


class GatedJob(Job):
    """A coroutine that waits before each of its operations until it is told to go on."""

    def __init__(self, slot: StrandSlot, performs: Sequence[AsyncPerform]) -> None:
        super().__init__(slot, self._work)
        self._performs = performs
        self._gates: list[Any] = []
        self._ends: list[Any] = []
        self._begun = 0

    def start(self, loop: ControlledLoop) -> None:
        self._gates = [loop.create_future() for _ in self._performs]
        self._ends = [loop.create_future() for _ in self._performs]
        super().start(loop)

    async def _work(self) -> None:
        failed = False
        for gate, end, perform in zip(self._gates, self._ends, self._performs, strict=True):
            await gate
            failed = failed or await _fails_async(perform)
            end.set_result(None)

    def go_on(self, loop: ControlledLoop) -> None:
        """Run the next operation to its end."""
        current = self._begun
        self._begun += 1
        self._gates[current].set_result(None)
        loop.run_until_complete(self._ends[current])


async def _fails_async(perform: AsyncPerform) -> bool:
    try:
        await perform()
    except (Exception, asyncio.CancelledError):  # noqa: BLE001 - whatever the code under proof raises is its result
        return True
    return False


class HostedInTurns(Hosted[GatedJob]):
    """Runs the coroutines among the tasks, each operation in its turn."""

    def __init__(self, jobs: Sequence[GatedJob], order: Sequence[tuple[int, int]], turns: Turns) -> None:
        """`order` gives the slot and the job of each operation, in the order of the slots."""
        super().__init__(jobs)
        self._order = order
        self._turns = turns

    def run(self, loop: ControlledLoop) -> None:
        for slot, job in self._order:
            self._turns.wait_for(slot)
            self.jobs[job].go_on(loop)
            self._turns.was_busy |= loop.has_work()
            if self._turns.rested:
                loop.run_until_at_rest()
            self._turns.next()
        loop.run_until_at_rest()
