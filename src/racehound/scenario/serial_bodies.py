"""Bodies that run whole operations one after the other.

Each task keeps its own thread or coroutine, as it has when they overlap: thread-local state, context variables and
the identity of the thread are part of what an operation does. What an operation leaves running in the background
either comes to rest before the next operation begins or goes on beside it; both are serial.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final

from racehound.engine.company import ENDLESS, opening_of
from racehound.engine.control import CONTROL
from racehound.engine.execution import Abort, Execution, StrandSlot
from racehound.engine.operation import Kind, Operation
from racehound.primitives.event_loop import ControlledLoop
from racehound.primitives.hosting import Hosted, Job, Work
from racehound.scenario.blocks import Hold
from racehound.scenario.sections import Sections

PATIENCE = 500
"""How often a task looks whether the background has come to rest; one that never does is not waited for."""

Perform = Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a serial run goes with what its operations leave running in the background."""

    rested: bool = True
    """Whether that comes to rest before the next operation begins; else it has not moved at all."""
    rests_after: int | None = None
    """A slot after which it comes to rest where it does not after others."""
    rests_at_last: bool = False
    """Whether what the last operations left behind comes to rest, too, before all is over."""
    pace: Sequence[int] = ()
    """For each slot to how many sections the background has come when the operation begins."""
    wakes: bool = False
    """Whether those who doze in the background have as many rounds as they may before an operation begins."""
    starts: Sequence[float] = ()
    """For each slot the moment before which the operation does not begin."""


USUAL: Final = Manner()


class Turns:
    """Whose turn it is in a serial run."""

    def __init__(self, tasks: int, slots: int, manner: Manner = USUAL) -> None:
        self._tasks = tasks
        self._slots = slots
        self._manner = manner
        self._turn = 0
        self._looks = 0
        self._ended: float | None = None
        self.idle = 0.0
        """The seconds in which no operation was under way, after one had ended and before the next one began."""
        self.was_busy = False
        """Whether an operation left something behind that could go on when the next was to begin."""

    def wait_for(self, slot: int) -> None:
        execution = CONTROL.here()
        if execution is not None:
            execution.step(Operation(Kind.YIELD, (), ready=lambda: self._turn == slot and self._may_begin()))
            execution.now = max(execution.now, *self._manner.starts[slot : slot + 1], 0.0)
            self.idle += execution.now - (execution.now if self._ended is None else self._ended)
            self._ended = None

    def wait_for_the_end(self) -> None:
        execution = CONTROL.here()
        if execution is not None and self._manner.rests_at_last:
            execution.step(Operation(Kind.YIELD, (), ready=lambda: self._turn == self._slots and self._rests()))

    def note_end(self) -> None:
        """An operation has ended; what it left behind may take its time before the next one begins."""
        if self._ended is None and CONTROL.execution is not None:
            self._ended = CONTROL.execution.now

    def next(self) -> None:
        self.note_end()
        self._turn += 1
        self._looks = 0

    def _may_begin(self) -> bool:
        execution = CONTROL.execution
        if execution is None:
            return True
        pace = self._manner.pace
        wakes_up = bool(self._manner.wakes or pace) and execution.alive.may_wake_up_beyond(self._tasks)
        if not wakes_up and not execution.alive.is_busy_beyond(self._tasks):
            return True
        if pace:
            return Sections(execution.trace, self._tasks).have_come_to(pace[self._turn])
        if wakes_up:
            return False
        self.was_busy = True
        return not self.rests_before(self._turn) or self._rests()

    def rests_before(self, slot: int) -> bool:
        """Whether the background comes to rest before the operation in that slot begins."""
        return self._manner.rested or self._manner.rests_after == slot - 1

    def _rests(self) -> bool:
        """Whether nothing in the background can go on, or has been waited for long enough."""
        execution = CONTROL.execution
        self._looks += 1
        if execution is None or not execution.alive.is_busy_beyond(self._tasks):
            return True
        if self._looks <= CONTROL.patience(PATIENCE):
            return False
        execution.caveat(ENDLESS)
        return True


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


class Opening:
    """Sets the scene as the first part of an execution, on what takes itself for the main thread."""

    def __init__(self, make: Perform) -> None:
        self._make = make
        self._is_over = False

    def is_over(self) -> bool:
        return self._is_over

    def __call__(self) -> None:
        execution = CONTROL.here()
        if execution is None:
            raise Abort
        with execution.appearing_as(threading.main_thread()):
            self._set_the_scene(execution)
        self._is_over = True

    def _set_the_scene(self, execution: Execution) -> None:
        """What it starts, and the others, begin when it is done or waits."""
        task = execution.trace.tasks[execution.running]
        execution.trace.opening, execution.alive.opening = task.id, task
        self._make()
        execution.step(Operation(Kind.FINISH, (opening_of(execution.number_of, writes=True),)))
        execution.alive.opening = None


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


@dataclass(frozen=True, slots=True)
class AsyncPerform:
    """An operation on the event loop."""

    run: Callable[[Hold], Coroutine[Any, Any, object]]
    """Takes what lets others in between its parts."""
    parts: int


class GatedJob(Job):
    """A coroutine that waits before each part of its operations until it is told to go on."""

    def __init__(self, slot: StrandSlot, performs: Sequence[AsyncPerform]) -> None:
        super().__init__(slot, self._work)
        self._performs = performs
        self._gates: list[Any] = []
        self._ends: list[Any] = []
        self._begun = 0
        self._ended = 0

    def start(self, loop: ControlledLoop) -> None:
        parts = sum(perform.parts for perform in self._performs)
        self._gates = [loop.create_future() for _ in range(parts)]
        self._ends = [loop.create_future() for _ in range(parts)]
        super().start(loop)

    async def _work(self) -> None:
        failed = False
        for perform in self._performs:
            last = self._ended + perform.parts
            await self._gates[self._ended]
            failed = failed or await self._fails(perform)
            self._end_part()
            while self._ended < last:  # an operation that has failed, or was shorter than it looked
                await self._gates[self._ended]
                self._end_part()

    async def _fails(self, perform: AsyncPerform) -> bool:
        try:
            await perform.run(self._hold)
        except (Exception, asyncio.CancelledError):  # noqa: BLE001 - whatever the code under proof raises is its result
            return True
        return False

    async def _hold(self) -> None:
        self._end_part()
        await self._gates[self._ended]

    def _end_part(self) -> None:
        self._ends[self._ended].set_result(None)
        self._ended += 1

    def go_on(self, loop: ControlledLoop) -> None:
        """Run the next part to its end."""
        current = self._begun
        self._begun += 1
        self._gates[current].set_result(None)
        loop.run_until_complete(self._ends[current])


class HostedInTurns(Hosted[GatedJob]):
    """Runs the coroutines among the tasks, each operation in its turn."""

    def __init__(
        self, jobs: Sequence[GatedJob], order: Sequence[tuple[int, int]], turns: Turns, set_up: Work | None
    ) -> None:
        """`order` gives the slot and the job of each operation, in the order of the slots."""
        super().__init__(jobs, set_up=set_up)
        self._order = order
        self._turns = turns

    def run(self, loop: ControlledLoop) -> None:
        for slot, job in self._order:
            self._turns.wait_for(slot)
            self.jobs[job].go_on(loop)
            self._turns.note_end()
            self._turns.was_busy |= loop.has_work(beside=[gated.task for gated in self.jobs])
            if self._turns.rests_before(slot + 1):
                loop.run_until_at_rest()
            self._turns.next()
        loop.run_until_at_rest()
