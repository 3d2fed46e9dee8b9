"""How code under control comes to run on the controlled event loop."""

import asyncio
import warnings
from asyncio import events, tasks
from asyncio.base_events import BaseEventLoop
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, Generic, TypeVar

from racehound.engine.control import CONTROL
from racehound.engine.execution import Abort, StrandSlot
from racehound.errors import HarnessError
from racehound.primitives.clock import waiting_clock
from racehound.primitives.event_loop import ControlledLoop
from racehound.primitives.loop_work import IsHeld
from racehound.primitives.replacement import Replacement

Work = Callable[[], Coroutine[Any, Any, object]]


class Job:
    """A coroutine that the scenario asks for, and the strand that stands for it."""

    def __init__(self, slot: StrandSlot, work: Work) -> None:
        self._slot = slot
        self._work = work
        self.task: asyncio.Task[object] | None = None

    def start(self, loop: ControlledLoop) -> None:
        loop.adopt([self._slot])
        self.task = loop.create_task(self._work())

    def when_done(self, callback: "Callable[[asyncio.Task[object]], None]") -> None:
        if self.task is not None:
            self.task.add_done_callback(callback)

    @property
    def is_done(self) -> bool:
        return self.task is not None and self.task.done()

    def report(self) -> None:
        """Say how it ended; what nobody else asks for is its result."""
        if self.task is not None and self.task.done():
            cancelled = self.task.cancelled()
            self._slot.task.error = asyncio.CancelledError() if cancelled else self.task.exception()


IMPATIENCE: Final = 20
"""Turns that are granted to what a set-up has left in the background before the race begins."""

AnyJob = TypeVar("AnyJob", bound=Job)


class Hosted(Generic[AnyJob]):
    """A body that runs coroutines on one loop until they are done, and then what they have left behind.

    What sets the scenario up runs on the same loop before, unobserved; what never rests goes on among the others.
    """

    def __init__(
        self, jobs: Sequence[AnyJob], *, set_up: Work | None = None, is_held: IsHeld = lambda _: True
    ) -> None:
        self.jobs = jobs
        self._set_up = set_up
        self._is_held = is_held

    def __call__(self) -> None:
        execution = CONTROL.in_charge()
        if execution is None:
            raise Abort
        loop = ControlledLoop(execution)
        try:
            if self._set_up is not None:
                with execution.unobserved():
                    loop.run_until_complete(self._set_up())
                    loop.run_until_at_rest(patience=IMPATIENCE)
            for job in self.jobs:
                job.start(loop)
            self.run(loop)
            for job in self.jobs:
                job.report()
            loop.end_all()
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            loop.close()

    def run(self, loop: ControlledLoop) -> None:
        """Race the jobs; what they leave behind goes on after them, and may be dropped if nothing refers to it."""
        for job in self.jobs:
            job.when_done(self._stop_after_the_last)
        if self.jobs:
            loop.run_forever()
        forgotten = [task for task in sorted(loop.live_tasks(), key=hash) if not self._is_held(task)]
        if forgotten:
            loop.may_forget(forgotten, self._is_held)
        loop.run_until_at_rest()

    def _stop_after_the_last(self, task: "asyncio.Task[object]") -> None:
        if all(job.is_done for job in self.jobs):
            task.get_loop().stop()


_run_forever = BaseEventLoop.run_forever
_all_tasks = tasks.all_tasks
_new_event_loop = events.new_event_loop
_policy_new_event_loop = events.BaseDefaultEventLoopPolicy.new_event_loop


def new_event_loop() -> asyncio.AbstractEventLoop:
    execution = CONTROL.in_charge()
    return _new_event_loop() if execution is None else ControlledLoop(execution)


def policy_new_event_loop(self: Any) -> asyncio.AbstractEventLoop:
    """What `get_event_loop` asks for in the main thread."""
    execution = CONTROL.in_charge()
    return _policy_new_event_loop(self) if execution is None else ControlledLoop(execution)


def forget_current_loops() -> None:
    """No thread has an event loop yet; a policy of the program's own is left alone."""
    if type(events._event_loop_policy) is asyncio.DefaultEventLoopPolicy:  # type: ignore[attr-defined]  # noqa: SLF001 - the policy that was made last
        events._event_loop_policy = None  # type: ignore[attr-defined]  # noqa: SLF001 - the next who asks makes one


def all_tasks(loop: asyncio.AbstractEventLoop | None = None) -> "set[asyncio.Task[Any]]":
    asked = events.get_running_loop() if loop is None else loop
    return asked.live_tasks() if isinstance(asked, ControlledLoop) else _all_tasks(asked)


def run_forever(self: BaseEventLoop) -> None:
    execution = CONTROL.in_charge()
    if execution is not None and not isinstance(self, ControlledLoop):
        execution.give_up(HarnessError("the code runs an event loop that was made before it was under control"))
    _run_forever(self)


def real_time(self: BaseEventLoop) -> float:
    """A loop that nobody controls really waits."""
    del self
    return waiting_clock()


_warn_unawaited: Callable[[object], None] = warnings._warn_unawaited_coroutine  # type: ignore[attr-defined]  # noqa: SLF001 - what the interpreter calls


def warn_unawaited(coroutine: object) -> None:
    """Nobody awaits the coroutines of tasks that are unwound."""
    execution = CONTROL.execution
    if execution is None or not execution.aborting:
        _warn_unawaited(coroutine)


REPLACEMENTS: Final = (
    Replacement(warnings, "_warn_unawaited_coroutine", warn_unawaited),
    Replacement(BaseEventLoop, "time", real_time),
    Replacement(events, "new_event_loop", new_event_loop),
    Replacement(asyncio, "new_event_loop", new_event_loop),
    Replacement(events.BaseDefaultEventLoopPolicy, "new_event_loop", policy_new_event_loop),
    Replacement(tasks, "all_tasks", all_tasks),
    Replacement(asyncio, "all_tasks", all_tasks),
    Replacement(BaseEventLoop, "run_forever", run_forever),
)
