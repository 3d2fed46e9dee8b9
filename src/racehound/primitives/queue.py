"""`queue.SimpleQueue`, which is implemented in C, and the clock that the other queues ask.

A SimpleQueue puts and takes in one step each; so do the others, see `queues`.
"""

import _queue
import queue
from collections.abc import Callable
from functools import partial
from typing import Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.mirror import Mirror
from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId, Operation
from racehound.engine.trace import FOR_WORK
from racehound.primitives.clock import waiting_clock
from racehound.primitives.replacement import Replacement

ORIGINAL: Final = _queue.SimpleQueue
_HEAD: Final = "head"
_TAIL: Final = "tail"


class ControlledSimpleQueue(Mirror):
    """Mirror of `queue.SimpleQueue`; wraps an existing one if it is given one."""

    def __init__(self, real: "_queue.SimpleQueue[object] | None" = None) -> None:
        self._real: _queue.SimpleQueue[object] = ORIGINAL() if real is None else real
        self._taken = 0

    def put(self, item: object, block: bool = True, timeout: float | None = None) -> None:  # noqa: FBT002 - the original's signature
        del block, timeout  # it never has to wait
        execution = CONTROL.in_charge()
        if execution is not None and not execution.aborting:
            execution.step(self._operation(execution, Kind.WRITE, self._effects_of_putting))
        self._real.put(item)

    put_nowait = put

    def get(self, block: bool = True, timeout: float | None = None) -> object:  # noqa: FBT002 - the original's signature
        execution = CONTROL.in_charge()
        if execution is None:
            return self._real.get(block, timeout)
        if block and timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        operation = self._operation(execution, Kind.TAKE, self._effects_of_taking)
        if block:
            operation.ready = self._holds_something
            operation.deadline = None if timeout is None else execution.after(timeout)
        execution.step(operation)
        return self._take()

    def take_work(self) -> object:
        """As the thread of a pool does, which may wait for ever."""
        execution = CONTROL.in_charge()
        if execution is not None:
            operation = self._operation(execution, Kind.TAKE, self._effects_of_taking)
            operation.ready, operation.label = self._holds_something, FOR_WORK
            execution.step(operation)
            return self._take()
        return self._real.get()

    def _take(self) -> object:
        item = self._real.get_nowait()
        self._taken += 1
        return item

    def get_nowait(self) -> object:
        return self.get(block=False)

    def qsize(self) -> int:
        execution = CONTROL.in_charge()
        if execution is not None:
            execution.step(self._operation(execution, Kind.CHECK, self._effects_of_looking))
        return self._real.qsize()

    def empty(self) -> bool:
        return self.qsize() == 0

    def items(self) -> list[object]:
        """What it holds, for those who look at it from outside."""
        held = [self._real.get_nowait() for _ in range(self._real.qsize())]
        self.refill(held)
        return held

    def refill(self, items: list[object]) -> None:
        """Hold these and nothing else."""
        while not self._real.empty():
            self._real.get_nowait()
        for item in items:
            self._real.put(item)

    def _operation(
        self, execution: Execution, kind: Kind, effects_of: Callable[[ObjectId], tuple[Effect, ...]]
    ) -> Operation:
        refresh = partial(effects_of, execution.number(self))
        return Operation(kind, refresh(), site=self.site or CONTROL.site, label="queue", refresh=refresh)

    # Each item has a place of its own: who puts one in has nothing to do with who takes an earlier one out.

    def _effects_of_putting(self, number: ObjectId) -> tuple[Effect, ...]:
        place = self._taken + self._real.qsize()
        return Effect(number, _TAIL, writes=True), Effect(number, place, writes=True)

    def _effects_of_taking(self, number: ObjectId) -> tuple[Effect, ...]:
        return Effect(number, _HEAD, writes=True), Effect(number, self._taken, writes=True)

    def _effects_of_looking(self, number: ObjectId) -> tuple[Effect, ...]:
        return (Effect(number, WHOLE, writes=False),)

    def _holds_something(self) -> bool:
        return not self._real.empty()


REPLACEMENTS: Final = (
    Replacement(queue, "SimpleQueue", ControlledSimpleQueue),
    Replacement(queue, "time", waiting_clock),
)
