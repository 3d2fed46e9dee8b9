"""One execution: tasks take turns at operations, and every turn is somebody's choice.

Exactly one task runs at any time. It publishes its next operation by calling `step`, asks the strategy who
goes on, and hands the baton over only if that is somebody else. A blocked task is simply not runnable, so a
deadlock is the moment at which nobody is, and costs no waiting.

A task that runs an event loop carries strands: tasks that share its thread and take turns only where they
suspend themselves. One turn of a strand is one operation, whose effects are known once the turn is over.
"""

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import inf
from typing import TYPE_CHECKING, NoReturn

from racehound.engine.carrier import Baton, CarrierPool
from racehound.engine.company import TIMED_WAIT, Company, opening_of
from racehound.engine.control import CONTROL, NOBODY
from racehound.engine.determinism import drift_at
from racehound.engine.lives import Lives
from racehound.engine.naps import Naps
from racehound.engine.numbers import Numbers
from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId, Operation, always, never
from racehound.engine.outlasting import STEP_LIMIT, Patience, stuck_at
from racehound.engine.passing import due_after, time_passed_for
from racehound.engine.sharing import Opaque, caveats_of_sharing
from racehound.engine.spin import PATIENCE, Suspects
from racehound.engine.strategy import Strategy, beginning_of, first_of_all
from racehound.engine.trace import Ending, Event, Later, StrandSlot, Task, Trace, lineage_of
from racehound.engine.turns import NOT_YET, Turns
from racehound.engine.watcher import Watcher, look_after, look_before
from racehound.errors import HarnessError, RacehoundError
from racehound.model.schedule import TaskId

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["STEP_LIMIT", "Abort", "Ending", "Event", "Execution", "StrandSlot", "Task", "Trace", "Watcher"]

TASK_LIMIT = 64
_new = tuple.__new__
"""What calling a class of tuples comes to, without the call in between."""
START_OF_TIME = 1_000.0
"""What clocks show when an execution begins; every execution sees the same hours."""

FINALIZER = "a finalizer ran at a moment that nobody chose"
LOOP_BLOCKED = "a coroutine makes its whole event loop wait"


class Abort(BaseException):
    """Unwinds a task whose execution has ended; not for user code to catch."""


class Execution:
    """Runs bodies to their end under a strategy.

    It has fewer than thirty attributes: the interpreter finds those of an object with more of them more slowly.
    """

    def __init__(
        self,
        pool: CarrierPool,
        strategy: Strategy,
        *,
        watcher: Watcher | None = None,
        impatient: bool = False,
        patience: Patience | None = None,
    ) -> None:
        self._pool = pool
        self._strategy = strategy
        self._choose = strategy.choose
        self._beginning = beginning_of(strategy)
        self._watcher = watcher
        self._patience = patience or Patience()
        self._abandoned = False
        self._home = Baton()
        self._running: Task | None = None
        self._aborting = False
        self._deciding = False  # what the program does now it does behind our back
        self._has_strands = False
        self._suspects = Suspects()
        self.refusing = False
        """Whether a lock that is only tried for is refused, as if somebody held it."""
        self.now = START_OF_TIME
        self.thread_names, self.pool_names = CONTROL.thread_names, CONTROL.pool_names
        self.coroutine_names = itertools.count(1)
        self.serials = itertools.count()
        names = Numbers()
        self.number, self.number_of = names.number, names.number_of
        self.life_of = Lives(names.number, self._note_end).of
        self.turns = Turns(names.number_of, self._suspects)
        self.asked: dict[FrameType, tuple[Effect, ...]] = {}
        """Generators that somebody has asked for an item and that run, by their frames."""
        self._opaque: dict[ObjectId, Opaque] = {}
        self.trace = Trace(object_of=names.object_of)
        self.alive = Company(self.trace.caveats, impatient=impatient)
        self._events, self._naps = self.trace.events, Naps(self.trace.caveats, names)

    # -- the life of an execution ------------------------------------------------------------------

    def run(self, bodies: Sequence[Callable[[], object]]) -> Trace:
        """Run all bodies; the calling thread waits."""
        if not bodies:
            return self.trace
        for body in bodies:
            self._enlist_first(body, TaskId(len(bodies) - 1))
        self.trace.first = len(self.trace.tasks)
        CONTROL.execution = self
        CONTROL.site = 0
        try:
            self._hand_to(self._decide(None))
            self._await_end()
        finally:
            CONTROL.execution = None
            CONTROL.ident = NOBODY
        for act in self.alive.at_end:
            act()
        if self.trace.ending is not Ending.LATE:  # nobody will ask what is left to try
            self._strategy.end_execution(self.trace.blocked)
        if self._opaque:
            self.trace.caveats |= caveats_of_sharing(self.trace, self._opaque)
        return self.trace

    def _await_end(self) -> None:
        if self._patience.is_outlasted(self._home.wait, lambda: len(self._events)):
            self._abandoned = self._aborting = True
            raise stuck_at(CONTROL.ident)

    def _enlist_first(self, body: Callable[[], object], host: TaskId) -> None:
        if isinstance(body, StrandSlot):
            body.task = self.add_strand(host)
        elif isinstance(body, Later):
            self._enlist(body, Operation(Kind.START, (opening_of(self.number_of),), ready=body.may_begin))
        else:
            self._enlist(body, Operation(Kind.START, ()))

    def _enlist(
        self, body: Callable[[], object], start: Operation, *, daemon: bool = False, serves: bool = False
    ) -> Task:
        number = len(self.trace.tasks)
        task = Task(TaskId(number), body, self._pool.get(number), start, daemon=daemon, serves=serves)
        self._enter(task)
        task.carrier.assign(partial(self._carry, task))
        return task

    def _enter(self, task: Task) -> None:
        task.lineage = lineage_of(task.id, self._running)
        task.seen = self.now
        self.trace.tasks.append(task)
        self.alive.enter(task)

    def _carry(self, task: Task) -> None:
        try:
            if not self._aborting:
                self._begin(task)
                task.result = task.body()
        except Abort:
            pass
        except BaseException as error:  # noqa: BLE001 - whatever the code under proof raises is its result
            task.error = None if self._aborting else error  # what comes of unwinding is not the program's doing
        self._finish(task)

    def _begin(self, task: Task) -> None:
        CONTROL.site = 0
        self._events.append(_new(Event, (task.id, task.pending)))

    def _finish(self, task: Task) -> None:
        if self._abandoned:
            return
        self._deciding = True
        if not self._aborting:
            look_after(self._watcher, task.id)
        self.alive.leave(task)
        if self._has_strands:
            for strand in self.alive.left_by(task):
                self.end_strand(strand)
        if not self.alive:
            self._deciding = False
            CONTROL.ident = NOBODY
            self._home.go()
        else:
            self._hand_to(self._decide(None))

    # -- what tasks call ---------------------------------------------------------------------------

    def step(self, operation: Operation) -> None:
        """Publish the operation, wait for the turn, and return when it may run."""
        task = self._running
        if self._deciding:
            self._overhear(operation)
            return
        if task is None or self._aborting:
            raise Abort
        if self._watcher is not None:
            look_after(self._watcher, task.id)
        if self.turns.current is not None and self._recorded(task, operation):
            return
        if operation.deadline is not None and not operation.recurs:
            self._naps.doze(task, operation, self._events, self._suspects)
        chosen = self._decide(task, operation)
        if chosen is not task:
            wait, site = task.carrier.baton.wait, CONTROL.site
            self._hand_to(chosen)
            wait()  # at once: who was told to go needs the interpreter that this thread still has
            CONTROL.site = site  # of the call that this task is in, not of those that others made meanwhile
        if self._aborting:
            raise Abort
        operation = task.pending  # it may have been renewed meanwhile
        if operation.late:
            self.turns.go_on(task)
        self._perform(task, operation)

    def _overhear(self, operation: Operation) -> None:
        """Our own work has freed something of the program's, whose finalizer does something now."""
        if operation.site:
            self.caveat(FINALIZER)

    def effects_of_spawning(self, subject: object) -> tuple[Effect, ...]:
        """What starting a task does; `subject` is what others will join."""
        life = Effect(self.number(subject), WHOLE, writes=True)
        if not self._has_strands:
            return (life,)
        return life, self.turns.presence_of_threads(changes=True)  # from now on their turns may be interrupted

    def spawn(self, body: Callable[[], object], subject: object, *, daemon: bool, serves: bool = False) -> Task:
        """Start another task, in the step that has just been published."""
        self._check_number_of_tasks()
        start = Operation(Kind.START, (Effect(self.number(subject), WHOLE, writes=False),))
        if self.alive.opening is not None:  # nobody waits for its end, whatever the program does when it closes
            daemon = True
            start.effects, start.ready = (*start.effects, opening_of(self.number_of)), self.alive.may_begin
        return self._enlist(body, start, daemon=daemon, serves=serves)

    def _check_number_of_tasks(self) -> None:
        if len(self.trace.tasks) >= TASK_LIMIT:
            self.give_up(
                HarnessError(f"the code under proof starts more than {TASK_LIMIT} threads and coroutines")
            )

    def _perform(self, task: Task, operation: Operation) -> None:
        self._events.append(_new(Event, (task.id, operation)))
        if not operation.late:  # else the end of the turn counts it
            task.steps += 1
            if task.steps > PATIENCE or self._suspects:
                self._suspects.watch(task, operation, self.now)
        look_before(self._watcher, task.id, operation, self.now)
        operation.refresh = None
        if operation.deadline is not None or self.now > task.seen:
            self.now = self.trace.keep_time(task, operation, self.now)

    def fall_asleep(self, nap: Operation, until: float) -> None:
        """The running task is about to sleep."""
        task = self.trace.tasks[self.running]
        if task.host is not None:
            return
        self._naps.doze(task, nap, self._events, self._suspects)
        if nap.recurs:
            nap.ready, nap.deadline = never, until
        else:
            self._naps.begin(task, self._events, self._suspects)
            nap.ready = self.alive.let_sleep if self._naps.have_been_enough(task) else always

    def after(self, seconds: float) -> float:
        """When the running task wakes up that waits so long from now on."""
        return due_after(self.trace.tasks[self.running], self.now, seconds)

    @property
    def aborting(self) -> bool:
        """Whether tasks are only being unwound."""
        return self._aborting

    @property
    def running(self) -> TaskId:
        """The task that has the baton."""
        if self._running is None:
            raise Abort
        return self._running.id

    @property
    def thread(self) -> TaskId:
        """The task on whose thread the running one is."""
        host = self.trace.tasks[self.running].host
        return self.running if host is None else host

    def refuses(self) -> bool:
        """Whether a try is refused although it could succeed; takes note that there was one."""
        self.trace.tried.add(self.running)
        self._naps.note_try()
        return self.refusing

    @contextmanager
    def appearing_as(self, thread: threading.Thread) -> Iterator[None]:
        """Within this context the running task takes itself for another thread."""
        carrier = self.trace.tasks[self.running].carrier
        carrier.appear_as(thread)
        try:
            yield
        finally:
            carrier.appear_as(carrier.thread)

    @contextmanager
    def unobserved(self) -> Iterator[None]:
        """Within this context tasks go on in the order of their numbers, and nothing is recorded: a set-up."""
        before = self._choose, self._events, self._beginning
        self._choose, self._events, self._beginning = first_of_all, [], ()
        patient = TIMED_WAIT not in self.trace.caveats
        try:
            yield
        finally:
            self._choose, self._events, self._beginning = before
            if patient:
                self.trace.caveats.discard(TIMED_WAIT)

    # -- strands -----------------------------------------------------------------------------------

    def add_strand(self, host: TaskId, *, adrift: bool = False) -> Task:
        """A task that shares the thread of `host`; it cannot go on before it is given something to do."""
        self._check_number_of_tasks()
        self._has_strands, self.trace.lag = True, inf
        number, carrier = TaskId(len(self.trace.tasks)), self._pool.get(host)
        strand = Task(number, StrandSlot(), carrier, NOT_YET, daemon=True, host=host, adrift=adrift)
        self._enter(strand)
        return strand

    def take_up(self, strand: Task, host: TaskId) -> None:
        """The event loop is run, on the thread of `host`, whoever has made it."""
        strand.host, strand.carrier, strand.adrift = host, self._pool.get(host), False

    def end_strand(self, strand: Task) -> None:
        if not strand.done:
            self.alive.leave(strand)

    def rest(self, host: TaskId, until: Operation) -> Task:
        """Called by an event loop between turns: who has the next one, one of its strands or itself?"""
        task = self.trace.tasks[host]
        last = self._running
        self.turns.end(self._running, self.now)
        if last is None or self._aborting:
            raise Abort
        look_after(self._watcher, last.id)
        task.pending = until
        chosen = self._decide(None if last.done else last)
        if chosen.carrier is not task.carrier:
            self._hand_to(chosen)
            task.carrier.baton.wait()
        else:
            self._running = chosen
        if self._aborting:
            raise Abort
        chosen = self._running or task
        self._events.append(Event(chosen.id, chosen.pending))
        if chosen.pending.deadline is not None:
            self.now = max(self.now, chosen.pending.deadline)
        if chosen is not task:
            self.turns.begin(chosen)
        return chosen

    def touch(self, effect: Effect) -> None:
        """Something that only matters to the order of turns; not worth showing."""
        if self.turns.current is None:
            self.step(Operation(Kind.AWAIT, (effect,)))
        else:
            self.turns.touch(effect)

    def _recorded(self, task: Task, operation: Operation) -> bool:
        """Add the operation to the turn, unless it makes the whole event loop wait or a thread may come before it.

        Other strands of the loop cannot: what ends then is the turn as the search sees it, not that of asyncio.
        """
        turn, is_ready = self.turns.current, operation.ready()
        if turn is None or not is_ready or self.alive.has_rivals_of(task):
            self.turns.split(task)
            self.turns.end(self._running, self.now)
            operation.late = True
            if not is_ready:
                self.caveat(LOOP_BLOCKED)
            return False
        if len(turn.inner) >= self._patience.steps and self._is_overlong(len(turn.inner)):
            raise Abort
        self.turns.record(operation)
        look_before(self._watcher, task.id, operation, self.now)
        operation.refresh = None
        return True

    # -- who is next -------------------------------------------------------------------------------

    def _decide(self, current: Task | None, operation: Operation | None = None) -> Task:
        """Who goes on; `operation` is what the current task would do next."""
        self._deciding = True
        try:
            if operation is not None and current is not None:
                current.pending = operation
            if self._aborting:
                return self.alive.first()
            if len(self._events) < len(self._beginning):
                return self._repeated(len(self._events))
            return self._chosen(current)
        except Exception as error:  # noqa: BLE001 - comparing what the code under proof uses as keys runs its code
            self.trace.broken_by = error
            return self._abort(Ending.BROKEN)
        finally:
            self._deciding = False

    def _repeated(self, step: int) -> Task:
        """Whoever made this step in the execution whose beginning is repeated."""
        number, expected = self._beginning[step]
        task = self.trace.tasks[number]
        operation = task.pending = task.pending.renewed()
        if task.spin is not None and task.spin.is_idle:  # that it went on means that time had passed
            self.now += time_passed_for(self.alive.idle())
        able = operation.ready is always or operation.ready() or operation.deadline is not None
        if able and not task.done and operation.is_like(expected):
            return task
        self.trace.broken_by = drift_at(step)
        return self._abort(Ending.BROKEN)

    def _chosen(self, current: Task | None) -> Task:
        """Looks at what every task would do next, and asks the strategy for one of those who can."""
        pending: dict[TaskId, Operation] = {}
        runnable: list[TaskId] = []
        reluctant: list[Task] = []  # those that would have to give up waiting, or would look in vain
        alive = self.alive
        for task in alive:
            operation = task.pending
            if operation.refresh is not None:
                operation = task.pending = operation.renewed()
            pending[task.id] = operation
            ready = operation.ready
            if ready is always or ready():
                if task.spin is None or not task.spin.is_idle:
                    runnable.append(task.id)
                else:
                    reluctant.append(task)
            elif operation.deadline is not None:
                reluctant.append(task)
        ending = alive.end_among(runnable, reluctant) if reluctant or not (runnable and alive.needed) else None
        if ending is Ending.LIVELOCK and (passed := time_passed_for(reluctant)):
            self.now += passed
            return self._chosen(current)
        if ending is not None:
            return self._abort(ending)
        if len(self._events) >= self._patience.steps and self._is_overlong(len(self._events)):
            return alive.first()
        chosen = self._choose(runnable, None if current is None else current.id, pending)
        return self._abort(Ending.PRUNED) if chosen is None else self.trace.tasks[chosen]

    def _abort(self, ending: Ending) -> Task:
        self._aborting = True
        self.trace.ending = ending
        self.trace.blocked = {task.id: task.pending for task in self.alive}
        return self.alive.first()

    def _is_overlong(self, steps: int) -> bool:
        """Whether the execution has taken too many steps or too much time, and is ended."""
        if steps >= self._patience.most:
            self._abort(Ending.OVERRUN)
        elif self._patience.is_late(steps):
            self._abort(Ending.LATE)
        return self._aborting

    def _hand_to(self, task: Task) -> None:
        self._running = task
        CONTROL.ident = task.carrier.ident
        task.carrier.baton.go()

    # -- what shows only once it has happened ------------------------------------------------------

    def _note_end(self, end: Effect) -> None:
        """An object has ended just now, in the step that the running task is at."""
        if self._aborting or self._running is None:
            return
        if self._deciding or CONTROL.here() is not self:
            self.caveat(FINALIZER)
        elif self.turns.current is not None:
            self.turns.touch(end)
        else:
            self._events[-1].operation.gain(end)

    # -- what weakens the verdict ------------------------------------------------------------------

    def caveat(self, reason: str) -> None:
        """Remember why this execution cannot count towards a proof of safety."""
        if not self._aborting:
            self.trace.caveats.add(reason)

    def give_up(self, reason: RacehoundError) -> NoReturn:
        """End the execution: something happened that is out of our hands."""
        self.trace.broken_by = reason
        self._abort(Ending.BROKEN)
        raise Abort

    def opaque(self, subject: ObjectId, reason: str, *, guardable: bool = True, changes: bool = True) -> None:
        """Something we cannot look into uses the object; it matters only if the object turns out shared."""
        use = Opaque(reason, guardable, changes)
        self._opaque[subject] = self._opaque.get(subject, use).and_also(use)

    def notice_stranger(self) -> None:
        """Instrumented code ran on a thread that is not a task."""
        self.trace.caveats.add("the code runs threads that are not under control")
