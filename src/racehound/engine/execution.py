"""One execution: tasks take turns at operations, and every turn is somebody's choice.

Exactly one task runs at any time. It publishes its next operation by calling `step`, asks the strategy who
goes on, and hands the baton over only if that is somebody else. A blocked task is simply not runnable, so a
deadlock is the moment at which nobody is, and costs no waiting.
"""

import weakref
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import NamedTuple, NoReturn

from racehound.engine.carrier import Baton, Carrier, CarrierPool
from racehound.engine.control import CONTROL, NOBODY
from racehound.engine.operation import START, ObjectId, Operation, always
from racehound.engine.strategy import Strategy
from racehound.errors import RacehoundError
from racehound.model.schedule import Schedule, TaskId

STEP_LIMIT = 20_000


class Abort(BaseException):
    """Unwinds a task whose execution has ended; not for user code to catch."""


class Ending(StrEnum):
    COMPLETE = "complete"
    DEADLOCK = "deadlock"
    PRUNED = "pruned"
    OVERRUN = "overrun"
    BROKEN = "broken"


@dataclass(slots=True)
class Task:
    id: TaskId
    body: Callable[[], object]
    carrier: Carrier
    pending: Operation = START
    result: object = None
    error: BaseException | None = None


class Event(NamedTuple):
    """An operation as it took place."""

    task: TaskId
    operation: Operation


@dataclass(slots=True)
class Trace:
    """What happened, from the first step to the last."""

    ending: Ending = Ending.COMPLETE
    events: list[Event] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    blocked: dict[TaskId, Operation] = field(default_factory=dict)
    caveats: set[str] = field(default_factory=set)
    broken_by: BaseException | None = None

    @property
    def schedule(self) -> Schedule:
        return Schedule(tuple(event.task for event in self.events))


class Watcher:
    """Sees each operation just before it runs, and the task again at its next step."""

    def before(self, task: TaskId, operation: Operation) -> None:
        """The operation is about to run."""

    def after(self, task: TaskId) -> None:
        """The last operation of the task has run; nobody else has moved since."""


class Execution:
    """Runs bodies to their end under a strategy."""

    def __init__(self, pool: CarrierPool, strategy: Strategy, *, watcher: Watcher | None = None) -> None:
        self._pool = pool
        self._strategy = strategy
        self._watcher = watcher
        self._home = Baton()
        self._alive: list[Task] = []
        self._running: Task | None = None
        self._aborting = False
        self._numbers: dict[Hashable, ObjectId] = {}
        self._next_number = 0
        self._kept: list[object] = []
        self._opaque: dict[ObjectId, str] = {}
        self.trace = Trace()
        self._events = self.trace.events

    # -- the life of an execution ------------------------------------------------------------------

    def run(self, bodies: Sequence[Callable[[], object]]) -> Trace:
        """Run all bodies; the calling thread waits."""
        if not bodies:
            return self.trace
        for body in bodies:
            self._enlist(body)
        CONTROL.execution = self
        try:
            self._hand_to(self._decide(None))
            self._home.wait()
        finally:
            CONTROL.execution = None
            CONTROL.ident = NOBODY
        self._strategy.end_execution(self.trace.blocked)
        self._note_opaque_sharing()
        return self.trace

    def _enlist(self, body: Callable[[], object]) -> None:
        number = len(self.trace.tasks)
        task = Task(TaskId(number), body, self._pool.get(number))
        self.trace.tasks.append(task)
        self._alive.append(task)
        task.carrier.assign(partial(self._carry, task))

    def _carry(self, task: Task) -> None:
        try:
            if not self._aborting:
                self._begin(task)
                task.result = task.body()
        except Abort:
            pass
        except BaseException as error:  # noqa: BLE001 - whatever the code under proof raises is its result
            task.error = error
        self._finish(task)

    def _begin(self, task: Task) -> None:
        self._events.append(Event(task.id, START))

    def _finish(self, task: Task) -> None:
        if self._watcher is not None and not self._aborting:
            self._watcher.after(task.id)
        self._alive.remove(task)
        if not self._alive:
            CONTROL.ident = NOBODY
            self._home.go()
        else:
            self._hand_to(self._decide(None))

    # -- what tasks call ---------------------------------------------------------------------------

    def step(self, operation: Operation) -> None:
        """Publish the operation, wait for the turn, and return when it may run."""
        task = self._running
        if task is None or self._aborting:
            raise Abort
        if self._watcher is not None:
            self._watcher.after(task.id)
        task.pending = operation
        chosen = self._decide(task)
        if chosen is not task:
            self._hand_to(chosen)
            task.carrier.baton.wait()
        if self._aborting:
            raise Abort
        operation = task.pending  # it may have been renewed meanwhile
        self._events.append(Event(task.id, operation))
        if self._watcher is not None:
            self._watcher.before(task.id, operation)
        else:
            operation.subject = None  # the trace must not keep the program's objects alive
        operation.refresh = None

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

    # -- who is next -------------------------------------------------------------------------------

    def _decide(self, current: Task | None) -> Task:
        if self._aborting:
            return self._alive[0]
        pending, runnable = self._survey()
        if not runnable:
            return self._abort(Ending.DEADLOCK)
        if len(self._events) >= STEP_LIMIT:
            return self._abort(Ending.OVERRUN)
        try:
            chosen = self._strategy.choose(runnable, None if current is None else current.id, pending)
        except Exception as error:  # noqa: BLE001 - whatever the code under proof raises is its result
            self.trace.broken_by = error
            return self._abort(Ending.BROKEN)
        if chosen is None:
            return self._abort(Ending.PRUNED)
        return self.trace.tasks[chosen]

    def _survey(self) -> tuple[dict[TaskId, Operation], list[TaskId]]:
        """What every task would do next, and who can; a wait with a timeout runs out when nobody else can."""
        pending: dict[TaskId, Operation] = {}
        runnable: list[TaskId] = []
        for task in self._alive:
            operation = task.pending
            if operation.refresh is not None:
                operation = task.pending = operation.renewed()
            pending[task.id] = operation
            if operation.ready is always or operation.ready():
                runnable.append(task.id)
        return pending, runnable or [task for task, operation in pending.items() if operation.expires]

    def _abort(self, ending: Ending) -> Task:
        self._aborting = True
        self.trace.ending = ending
        self.trace.blocked = {task.id: task.pending for task in self._alive}
        return self._alive[0]

    def _hand_to(self, task: Task) -> None:
        self._running = task
        CONTROL.ident = task.carrier.ident
        task.carrier.baton.go()

    # -- names of objects --------------------------------------------------------------------------

    def number(self, subject: object, address: int | None = None) -> ObjectId:
        """The number of an object in this execution.

        `address` is given where something else stands for the object, as its dictionary does for its attributes.
        """
        key = id(subject) if address is None else address
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = ObjectId(self._next_number)
            self._next_number += 1
            self._hold(subject, key)
        return known

    def _hold(self, subject: object, key: int) -> None:
        """Learn of the object's end, so that another one at its address gets a number of its own.

        Keeping the object would put off its end, and with it whatever the program does then; only objects that
        cannot be watched are kept.
        """
        try:
            self._kept.append(weakref.ref(subject, lambda _: self._numbers.pop(key, None)))
        except TypeError:
            self._kept.append(subject)

    def number_of(self, name: tuple[str, ...]) -> ObjectId:
        """The number of something that has a name rather than an identity, such as the globals of a module."""
        known = self._numbers.get(name)
        if known is None:
            known = self._numbers[name] = ObjectId(self._next_number)
            self._next_number += 1
        return known

    # -- what weakens the verdict ------------------------------------------------------------------

    def caveat(self, reason: str) -> None:
        """Remember why this execution cannot count towards a proof of safety."""
        self.trace.caveats.add(reason)

    def give_up(self, reason: RacehoundError) -> NoReturn:
        """End the execution: something happened that is out of our hands."""
        self.trace.broken_by = reason
        self._abort(Ending.BROKEN)
        raise Abort

    def opaque(self, subject: ObjectId, reason: str) -> None:
        """Something we cannot look into uses the object; it matters only if the object turns out shared."""
        self._opaque.setdefault(subject, reason)

    def _note_opaque_sharing(self) -> None:
        users: dict[ObjectId, set[TaskId]] = {subject: set() for subject in self._opaque}
        for task, operation in self.trace.events if users else ():
            for effect in operation.effects:
                if effect.subject in users:
                    users[effect.subject].add(task)
        self.trace.caveats.update(reason for subject, reason in self._opaque.items() if len(users[subject]) > 1)

    def notice_stranger(self) -> None:
        """Instrumented code ran on a thread that is not a task."""
        self.trace.caveats.add("the code runs threads that are not under control")
