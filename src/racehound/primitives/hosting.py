"""How code under control comes to run on the controlled event loop."""

import asyncio
from asyncio import events, tasks
from asyncio.base_events import BaseEventLoop
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import StrandSlot
from racehound.errors import HarnessError
from racehound.primitives.clock import waiting_clock
from racehound.primitives.event_loop import ControlledLoop
from racehound.primitives.replacement import Replacement

Work = Callable[[], Coroutine[Any, Any, object]]


class Hosted:
    """A body that runs coroutines on one loop, each in the strand that stands for it."""

    def __init__(self, works: Sequence[tuple[StrandSlot | None, Work]]) -> None:
        self._works = works
        self._left = len(works)

    def __call__(self) -> None:
        loop = new_event_loop()
        try:
            self._run(loop)
        finally:
            loop.close()

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        for slot, work in self._works:
            if slot is not None and isinstance(loop, ControlledLoop):
                loop.adopt([slot])
            loop.create_task(work()).add_done_callback(self._end_of(slot))
        loop.run_forever()
        asyncio.runners._cancel_all_tasks(loop)  # type: ignore[attr-defined]  # noqa: SLF001 - as `asyncio.run` does
        loop.run_until_complete(loop.shutdown_asyncgens())

    def _end_of(self, slot: StrandSlot | None) -> "Callable[[asyncio.Task[object]], None]":
        def end(task: "asyncio.Task[object]") -> None:
            error = asyncio.CancelledError() if task.cancelled() else task.exception()
            if slot is not None:
                slot.task.error = error
            self._left -= 1
            if self._left == 0:
                task.get_loop().stop()

        return end


_run_forever = BaseEventLoop.run_forever
_all_tasks = tasks.all_tasks
_new_event_loop = events.new_event_loop


def new_event_loop() -> asyncio.AbstractEventLoop:
    execution = CONTROL.here()
    return _new_event_loop() if execution is None else ControlledLoop(execution)


def all_tasks(loop: asyncio.AbstractEventLoop | None = None) -> "set[asyncio.Task[Any]]":
    asked = events.get_running_loop() if loop is None else loop
    return asked.live_tasks() if isinstance(asked, ControlledLoop) else _all_tasks(asked)


def run_forever(self: BaseEventLoop) -> None:
    execution = CONTROL.here()
    if execution is not None and not isinstance(self, ControlledLoop):
        execution.give_up(HarnessError("the code runs an event loop that was made before it was under control"))
    _run_forever(self)


def real_time(self: BaseEventLoop) -> float:
    """A loop that nobody controls really waits."""
    del self
    return waiting_clock()


REPLACEMENTS: Final = (
    Replacement(BaseEventLoop, "time", real_time),
    Replacement(events, "new_event_loop", new_event_loop),
    Replacement(asyncio, "new_event_loop", new_event_loop),
    Replacement(tasks, "all_tasks", all_tasks),
    Replacement(asyncio, "all_tasks", all_tasks),
    Replacement(BaseEventLoop, "run_forever", run_forever),
)
