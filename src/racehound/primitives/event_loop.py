"""The event loop of asyncio, with the order of what is ready as a choice.

Every asyncio task is a strand of the engine: it shares the thread of the loop and gives way only where it
suspends itself. What it does until then is one turn, one operation for the search. Callbacks that a program
registers have a strand of their own, in which they run in the order in which they were registered. Callbacks
of asyncio itself only pass on what has happened and run at the end of the turn that registered them. Who waits
for a future goes on after the callbacks that it was given before, such as one that discards a task from a set.

What a task starts or asks to be called soon has its first turn before the next one of that task, as on any loop.

Time is virtual. A task that sleeps can go on at any moment: sleeping is no way to order tasks. A timeout goes
off when nobody else can go on, and before any sleep that would last longer. Callbacks that were asked for at
certain times come in the order of these times, as far as that is certain, and those that are far off after what
whoever has set them does meanwhile.
"""

import asyncio
from asyncio import events, futures
from asyncio.base_events import BaseEventLoop
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Sequence
from math import inf
from typing import Any

from racehound.engine.company import ENDLESS, OTHERS_FIRST, UNFINISHED
from racehound.engine.control import CONTROL
from racehound.engine.execution import Abort, Execution, StrandSlot, Task
from racehound.engine.operation import Effect, Kind, Operation
from racehound.model.schedule import TaskId
from racehound.primitives.asyncio_futures import ControlledFuture, ControlledTask, touch
from racehound.primitives.clock import passing_of_time, read_clock
from racehound.primitives.loop_outside import refuse_all
from racehound.primitives.loop_work import (
    IsHeld,
    end_quietly,
    held_by,
    is_own,
    is_unbegun,
    is_unheard,
    name_of,
    task_to_go_on,
)
from racehound.primitives.strand import EVER, LEAVE, NOTHING, STOP, Alarm, Strand, Timeouts, first_given

PATIENCE = 100
"""Turns that are granted to what goes on in the background when all operations are done."""
NAPS = 25
UNNOTICED = "`call_soon` comes from another thread: the loop may not notice before something else wakes it"
TASK_FACTORY = "the code makes its own kind of asyncio tasks, whose use is not observed"


class ControlledLoop(BaseEventLoop):
    """An event loop whose every choice is somebody's decision; made by the task that will run it."""

    _default_executor: Any  # set by the base class
    _task_factory: Any
    _exception_handler: Any

    def __init__(self, execution: Execution) -> None:
        self.execution = execution
        self._host = execution.thread
        self._has_run = False
        self._strands: dict[int, Strand] = {}
        self._by_owner: dict[asyncio.Task[Any], Strand] = {}
        self._forgotten: set[asyncio.Task[Any]] = set()
        self._callbacks: Strand | None = None
        self._timeouts: Timeouts | None = None
        self._timed: list[Timeouts | Alarm] = []
        self._slots: deque[Task] = deque()
        self._ended: list[Strand] = []
        self._passing: deque[tuple[events.Handle, float, int]] = deque()
        self._due = EVER
        self._after = NOTHING  # the callback of the program that comes before what is passed on
        self._expired: dict[events.Handle, float] = {}  # what timeouts have set off goes before longer sleeps
        self._expiring = inf
        self._ticks = 0
        self._turn = 0
        self._current: Strand | None = None  # who has the turn
        self._is_passing_on = False  # asyncio itself is at work in that turn
        self._last: Strand | None = None  # who had it before
        self._naps = 0  # how often that one has slept since anybody else had a turn
        self._idle = False
        self._last_tick: float = inf
        self._leave: Operation | None = None  # what the loop waits for until it is told to stop
        self._turns_left: int | None = None  # counted while the loop is to come to rest
        super().__init__()
        execution.alive.at_end.append(self._drop_callbacks)

    # -- who is ready ------------------------------------------------------------------------------

    def tick(self) -> int:
        self._ticks += 1
        return self._ticks

    def admits(self, due: float, tick: int) -> bool:
        """Whether a turn that was registered at `tick` and must not begin before `due` may begin now."""
        if not self._idle or tick > self._last_tick or self._turns_left == 0:
            return False
        first = None if self._timeouts is None else self._timeouts.earliest()
        return (first is None or due <= first) and due <= min(self._expired.values(), default=inf)

    def has_called_back(self, tick: int) -> bool:
        """Whether the callback that the program registered then has been called, or never will be."""
        return self._callbacks is None or self._callbacks.is_beyond(tick)

    def note_calling_back(self) -> None:
        """Say that the turn that is going on hangs on what callbacks have been called."""
        touch(self._callbacks, writes=False)

    def has_slept_enough(self, strand: Strand) -> bool:
        """Whether it has had one turn after the other, with sleeps between them, and it is for others to go on."""
        if self._naps < NAPS or strand is not self._last or self._turns_left is not None:
            return False
        others = (other for other in self._strands.values() if other is not strand and not other.task.done)
        if not any(other.is_ready() and not other.gets_nowhere for other in others):
            return False
        self.execution.caveat(OTHERS_FIRST)
        return True

    def _wants_to_leave(self) -> bool:
        return self._last_tick < inf or (self._turns_left is not None and self._is_at_rest())

    def _is_at_rest(self) -> bool:
        """Whether nothing happens any more on this loop, or for this loop somewhere else."""
        if self._turns_left == 0:
            return True
        if self._timeouts is not None and self._timeouts.earliest() is not None:
            return False
        live = (strand for strand in self._strands.values() if not strand.task.done)
        is_busy = any(strand.is_ready() and not strand.gets_nowhere for strand in live)
        return not is_busy and not self.execution.alive.is_busy_beside(self._host)

    def has_work(self, *, beside: "Iterable[asyncio.Task[Any] | None]" = ()) -> bool:
        """Whether something is left that could go on, apart from these tasks."""
        return bool(self.live_tasks().difference(beside)) or any(
            strand.has_work() for strand in self._strands.values() if not strand.task.done
        )

    def run_until_at_rest(self, *, patience: int = PATIENCE) -> None:
        """Go on until everything has ended or waits; what never rests is left after so many turns, unfinished."""
        if self.has_work():
            self._turns_left = CONTROL.patience(patience)
            self.run_forever()
            if self._turns_left == 0:
                self.execution.caveat(ENDLESS)
            self._turns_left = None

    def may_forget(self, owners: "Sequence[asyncio.Task[Any]]", is_held: IsHeld) -> None:
        """Drop these tasks at some moment, if they are not done: asyncio may, as nothing refers to them."""
        strands = [self._by_owner[owner] for owner in owners]
        forgetting = events.Handle(self._forget, (owners, strands, is_held), self, None)
        collector = self._add_strand()
        collector.once = True
        collector.add(forgetting, EVER)

    def _forget(self, owners: "Sequence[asyncio.Task[Any]]", strands: Sequence[Strand], is_held: IsHeld) -> None:
        """What a task waits for may have taken hold of it by now: a queue knows who waits for an item."""
        for owner, strand in zip(owners, strands, strict=True):
            touch(strand)
            if not is_held(owner) and self._by_owner.pop(owner, None) is not None:
                self._forgotten.add(owner)
                self.execution.trace.forgotten.append(name_of(owner))
                self.execution.end_strand(strand.task)
                end_quietly(owner)

    def _add_strand(self, owner: "asyncio.Task[Any] | None" = None) -> Strand:
        self.note_act()
        strand = Strand(self, self._next_slot(), owner, maker=self._current)
        self._strands[strand.task.id] = strand
        maker = self._task_at_work()
        if maker is not None and owner is not None:
            maker.starts(strand)
        return strand

    def _task_at_work(self) -> Strand | None:
        """The task whose code registers something now: what that is comes before its own next turn."""
        at_work = not self._is_passing_on and self.execution.thread == self._host
        return self._current if at_work and self._current is not None and self._current.owner is not None else None

    def _next_slot(self) -> Task:
        return self._slots.popleft() if self._slots else self._new_strand()

    def _new_strand(self) -> Task:
        return self.execution.add_strand(self._host, adrift=not self._has_run)

    def strands(self) -> "Iterable[Strand]":
        return self._strands.values()

    def _strand_of(self, owner: "asyncio.Task[Any]") -> Strand:
        known = self._by_owner.get(owner)
        if known is None:
            known = self._by_owner[owner] = self._add_strand(owner)
        return known

    def live_tasks(self) -> "set[asyncio.Task[Any]]":
        """In place of a register of all tasks of the process, whose order depends on what ran before."""
        return {owner for owner in self._by_owner if not owner.done()}

    # -- what asyncio calls ------------------------------------------------------------------------

    def time(self) -> float:
        return self.execution.now if CONTROL.in_charge() is None else read_clock(self.execution)

    def call_later(  # type: ignore[override]  # of any shape
        self, delay: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> events.TimerHandle:
        waits = delay > 0 and CONTROL.in_charge() is self.execution
        when = self.execution.after(delay) if waits else self.execution.now + delay
        return self.call_at(when, callback, *args, context=context)

    def create_future(self) -> Any:
        return ControlledFuture(loop=self)

    def create_task(self, coro: Any, *, name: str | None = None, context: Any = None, **options: Any) -> Any:  # type: ignore[override]  # of any shape
        self._check_closed()  # type: ignore[attr-defined]  # of the base class
        if self._task_factory is not None:
            self.execution.caveat(TASK_FACTORY)
            return super().create_task(coro, name=name, context=context, **options)
        shown = name if name is not None else f"Task-{next(self.execution.coroutine_names)}"
        return ControlledTask(coro, loop=self, name=shown, context=context)

    def adopt(self, slots: Sequence[StrandSlot]) -> None:
        """The next tasks to be created are these strands."""
        self._slots.extend(slot.task for slot in slots)

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Any = None) -> events.Handle:  # type: ignore[override]  # of any shape
        running = events._get_running_loop()  # noqa: SLF001 - which raises nothing where there is none
        if running is not self and self.is_running():
            self.execution.caveat(UNNOTICED)
        return self._soon(callback, *args, context=context)

    def _soon(self, callback: Callable[..., object], *args: Any, context: Any) -> events.Handle:
        self._check_closed()  # type: ignore[attr-defined]  # of the base class
        if task_to_go_on(callback) is None and not is_own(callback):
            callback = CONTROL.published(callback)
        handle = events.Handle(callback, args, self, context)
        self._register(handle, callback)
        return handle

    def call_soon_threadsafe(  # type: ignore[override]  # of any shape
        self, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> events.Handle:
        return self._soon(callback, *args, context=context)

    def _register(self, handle: events.Handle, callback: Callable[..., object]) -> None:
        owner, after = task_to_go_on(callback), self._called_before(handle)
        if owner in self._forgotten:
            return  # what its end wakes is itself
        if owner is not None:
            if self._expiring < inf:
                self._expired[handle] = self._expiring
            self._strand_of(owner).add(handle, self._due, after)
        elif (
            is_own(callback) and self.execution.turns.current is not None and CONTROL.in_charge() is self.execution
        ):
            self._passing.append((handle, EVER, after))
        else:
            if self._callbacks is None:
                self._callbacks = self._add_strand()
            self._callbacks.add(handle, EVER)
            maker = self._task_at_work()
            if maker is not None:
                maker.calls_soon(self._ticks)

    def _called_before(self, handle: events.Handle) -> int:
        """A callback of the program that the same future calls first, as it was registered first."""
        future = first_given(handle)
        if self._callbacks is None or not isinstance(future, asyncio.Future):
            return self._after
        return max(self._after, self._callbacks.last_given(future))

    def call_at(  # type: ignore[override]  # of any shape
        self, when: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> events.TimerHandle:
        self._check_closed()  # type: ignore[attr-defined]  # of the base class
        timer = events.TimerHandle(when, callback, args, self, context)
        if callback is futures._set_result_unless_cancelled:  # type: ignore[attr-defined]  # noqa: SLF001 - how `sleep` wakes up
            self._passing.append((timer, when, NOTHING))
        elif is_own(callback):
            self._timeout_strand().add_timer(timer)
        else:
            timer._callback = CONTROL.published(callback)  # type: ignore[attr-defined]  # noqa: SLF001 - what it will call
            self._set_alarm(timer)
        return timer

    def _set_alarm(self, timer: events.TimerHandle) -> None:
        alarm = Alarm(self, self._next_slot(), timer, self._turn, self._current)
        for strand in self._strands.values():
            if isinstance(strand, Alarm) and strand.has_work():
                alarm.line_up_with(strand)
        self._strands[alarm.task.id] = alarm
        self._timed.append(alarm)

    def _timeout_strand(self) -> Timeouts:
        if self._timeouts is None:
            task = self._new_strand()
            self._timeouts = Timeouts(self, task)
            self._strands[task.id] = self._timeouts
            self._timed.append(self._timeouts)
        return self._timeouts

    def hurry(self, owner: "asyncio.Task[Any]") -> None:
        """A task is cancelled: it need not sleep to the end."""
        if owner in self._by_owner:
            self._by_owner[owner].hurry()

    def _timer_handle_cancelled(self, handle: events.TimerHandle) -> None:
        if self._timeouts is not None:
            self._timeouts.forget(handle)

    def stop(self) -> None:
        execution = self.execution
        if not execution.aborting:
            execution.touch(Effect(execution.number(self), STOP, writes=True))
        self._last_tick = self._ticks

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Abort):
            return
        if self._exception_handler is not None:
            super().call_exception_handler(context)
        elif "handle" in context and self._callbacks is not None:
            self._callbacks.task.error = error

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 - the original's signature
        del timeout
        self._executor_shutdown_called = True
        if self._default_executor is not None:
            self._default_executor.shutdown(wait=False)

    # -- turns -------------------------------------------------------------------------------------

    def _run_once(self) -> None:
        if self._leave is None:
            self._settle(self.execution.thread)
            self._leave = self._leaving()
        self._become_idle(idle=True)
        try:
            chosen = self.execution.rest(self._host, self._leave)
        except Abort:
            self._dispose()
            raise
        finally:
            self._become_idle(idle=False)
        if chosen.id == self._host:
            self._leave = None
            self._last_tick = inf
            self._stopping = True
        else:
            self._take_turn(self._strands[chosen.id])

    def _settle(self, host: TaskId) -> None:
        """Whoever runs the loop carries its strands, and need not be who has made it."""
        if self._has_run and host == self._host:
            return
        self._host, self._has_run = host, True
        for strand in self._strands.values():
            self.execution.take_up(strand.task, host)

    def _leaving(self) -> Operation:
        stop = Effect(self.execution.number(self), STOP, writes=False)
        left = Effect(self.execution.number(self), LEAVE, writes=True)
        leave = Operation(Kind.AWAIT, (stop, left), label="loop", ready=self._wants_to_leave)
        leave.late = True
        return leave

    def _become_idle(self, *, idle: bool) -> None:
        self._idle = idle
        for strand in self._timed:
            if not strand.task.done:
                strand.arm(idle=idle)

    def _take_turn(self, strand: Strand) -> None:
        if self._turns_left is not None:
            self._turns_left -= 1
        self._turn += 1
        self._current = strand
        CONTROL.site = strand.site
        handle, due = strand.take()
        self._naps = self._naps + 1 if due > EVER and strand is self._last else 0
        self._last = strand
        self._expired.pop(handle, None)
        self._expiring = due if strand is self._timeouts else inf
        if strand is self._timeouts:
            self.execution.trace.outrun |= any(other.has_work() for other in self._strands.values())
        if due > self.execution.now:
            self.execution.touch(passing_of_time(self.execution))
            self.execution.now = due
        handle._run()  # noqa: SLF001 - as the base class does
        self._is_passing_on = True
        while self._passing:
            handle, self._due, self._after = self._passing.popleft()
            if not handle.cancelled():
                handle._run()  # noqa: SLF001
        self._due, self._after, self._expiring = EVER, NOTHING, inf
        self._current, self._is_passing_on = None, False
        self._end_turn(strand)

    def _end_turn(self, strand: Strand) -> None:
        strand.site = CONTROL.site
        owner = strand.owner
        if strand.once or (owner is not None and owner.done()):
            if owner is not None:
                touch(owner)
                del self._by_owner[owner]
                self._ended.append(strand)
            self.execution.end_strand(strand.task)
        else:
            strand.expect()
            if strand.goes_round(self.execution.turns.current):
                self.execution.turns.lay_to_rest(strand.task)
        strand.acted = False

    def note_act(self) -> None:
        """Whoever has the turn wakes or starts others."""
        if self._current is not None and not self._is_passing_on:
            self._current.acted = True

    def _dispose(self) -> None:
        """Nobody will go on: end the coroutines here and now, so that none of them ends somewhere else."""
        for strand in list(self._strands.values()):
            if strand.owner is not None and not strand.task.done:
                end_quietly(strand.owner)

    def _drop_callbacks(self) -> None:
        """Nobody will call them, nor begin the coroutines that they would have."""
        handles = (handle for strand in self._strands.values() for handle in strand.handles())
        for item in (item for handle in handles for item in held_by(handle)):
            if isinstance(item, Coroutine) and is_unbegun(item):
                item.close()

    def end_all(self) -> None:
        """End whatever has not ended by itself."""
        live = (strand for strand in self._strands.values() if not strand.task.done)
        if any(strand.has_work() and not strand.gets_nowhere for strand in live):
            self.execution.caveat(UNFINISHED)
        self._dispose()
        for strand in self._strands.values():
            self.execution.end_strand(strand.task)
        self._by_owner.clear()
        self._callbacks = self._timeouts = None

    def close(self) -> None:
        if self.is_closed():
            return
        self.end_all()
        for strand in self._ended:
            if strand.owner is not None and is_unheard(strand.owner):
                strand.task.error = strand.owner.exception()
        super().close()

    def __del__(self) -> None:
        """A loop that nobody closes ends with its execution."""


refuse_all(ControlledLoop)
