"""What happened in one execution, and who took part."""

import sys
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from typing import NamedTuple, NoReturn

from racehound.engine.carrier import Carrier
from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId, Operation
from racehound.engine.spin import SLEEP, Spin, state_of_frames
from racehound.model.schedule import Schedule, TaskId

FOR_WORK = "work"
"""Label of an operation that waits for something to do."""


class Ending(StrEnum):
    COMPLETE = "complete"
    DEADLOCK = "deadlock"
    LIVELOCK = "livelock"
    PRUNED = "pruned"
    OVERRUN = "overrun"
    LATE = "late"
    """The time for the search was over."""
    BROKEN = "broken"


def _state_here() -> Hashable:
    return state_of_frames(sys._getframe())  # noqa: SLF001 - the frame that asks is where the task is


@dataclass(slots=True)
class Task:
    id: TaskId
    body: Callable[[], object]
    carrier: Carrier
    """The thread on which it runs; strands share that of their host."""
    pending: Operation = field(default_factory=lambda: Operation(Kind.START, ()))
    result: object = None
    error: BaseException | None = None
    daemon: bool = False
    """Nobody waits for its end."""
    serves: bool = False
    """Works for others; waiting for more to do is no deadlock."""
    host: TaskId | None = None
    """The task on whose thread it runs, if it is a strand."""
    adrift: bool = False
    """A strand of an event loop that nobody has run yet: whose thread that will be is not known."""
    done: bool = False
    due: float = -inf
    """When it wanted to wake up the last time that it waited for a time."""
    patience: float = 0.0
    """How much time it has let pass by waiting for none."""
    seen: float = -inf
    """What the time was when it had taken its last step."""
    expired: int = 0
    """How many of its waits have ended in vain."""
    drawn: int = 0
    """How many identifiers it has drawn."""
    lineage: str = ""
    """Who it is, whenever it was started: `0.2` is the second task that the first one has started."""
    started: int = 0
    """How many tasks it has started."""
    steps: int = 0
    naps: int = 0
    """How often it has slept after it had done something, or seen nothing new."""
    spin: Spin | None = None
    """Kept once the task has made many steps."""
    state: Callable[[], Hashable] = _state_here
    """Where it is and what its local variables hold, asked while it runs."""

    @property
    def is_idle(self) -> bool:
        """Whether it waits for work."""
        return self.serves and self.pending.label == FOR_WORK and not self.pending.ready()


def lineage_of(number: int, starter: Task | None) -> str:
    """What a new task is called by its descent; its number depends on when it is started."""
    if starter is None:
        return f"{number}"
    starter.started += 1
    return f"{starter.lineage}.{starter.started}"


class Later:
    """Stands for a body in the list of bodies that begins when the opening of the execution is over."""

    def __init__(self, body: Callable[[], object], may_begin: Callable[[], bool]) -> None:
        self._body = body
        self.may_begin = may_begin

    def __call__(self) -> object:
        return self._body()


class StrandSlot:
    """Stands for a strand in the list of bodies; the last body runs the event loop that carries it."""

    task: Task

    def __call__(self) -> NoReturn:
        raise AssertionError("a strand has no thread of its own")


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
    opening: TaskId | None = None
    """The task that sets the scene, where that is part of the execution; the others come after it."""
    first: int = 0
    """How many tasks were there from the beginning."""
    tried: set[TaskId] = field(default_factory=set)
    """Tasks that have tried for a lock without waiting."""
    forgotten: list[str] = field(default_factory=list)
    """Background tasks that were given up because nothing referred to them."""
    timed: bool = False
    """Whether somebody has waited with a timeout, and not in vain."""
    outrun: bool = False
    """Whether somebody slept for longer than another was ready to wait."""
    lag: float = 0.0
    """How long tasks were kept from going on, or woke up later than they had wanted, all together.

    Not known where tasks share an event loop."""
    broken_by: BaseException | None = None
    said: list[tuple[TaskId, str]] = field(default_factory=list)
    """What tasks have printed and logged, as far as it is plain text."""

    def keep_time(self, task: Task, operation: Operation, now: float) -> float:
        """What the time is when the task takes this step; a wait with a timeout may be over, in vain or not."""
        deadline = operation.deadline
        if deadline is not None and not operation.ready():
            task.expired += 1
            return self.wake_up(task, now, deadline)
        if deadline is not None:
            self.timed, self.outrun = True, self.outrun or now > deadline
        if operation.label != SLEEP:  # else it matters when the sleep was to end
            self.lag += now - task.seen
        task.seen = now
        return now

    def wake_up(self, task: Task, now: float, until: float) -> float:
        """What the time is when the task has slept that long at least."""
        self.lag += max(now - until, 0.0)
        task.seen = max(now, until)
        return task.seen

    object_of: Callable[[ObjectId], object] = lambda _: None
    """What the subject of an effect is, as long as it exists."""

    def effects_beside(self, task: TaskId) -> list[Effect]:
        """All of the objects to which others have done something so far."""
        others = (event.operation for event in self.events if event.task != task)
        return [Effect(effect.subject, WHOLE, writes=True) for other in others for effect in other.effects]

    @property
    def raced(self) -> Iterator[Event]:
        """What happened after the opening."""
        return (event for event in self.events if event.task != self.opening)

    @property
    def schedule(self) -> Schedule:
        return Schedule(tuple(event.task for event in self.events))
