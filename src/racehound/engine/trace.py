"""What happened in one execution, and who took part."""

import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, NoReturn

from racehound.engine.carrier import Carrier
from racehound.engine.operation import Kind, ObjectId, Operation
from racehound.engine.spin import Spin, state_of_frames
from racehound.model.schedule import Schedule, TaskId

FOR_WORK = "work"
"""Label of an operation that waits for something to do."""


class Ending(StrEnum):
    COMPLETE = "complete"
    DEADLOCK = "deadlock"
    LIVELOCK = "livelock"
    PRUNED = "pruned"
    OVERRUN = "overrun"
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
    done: bool = False
    steps: int = 0
    spin: Spin | None = None
    """Kept once the task has made many steps."""
    state: Callable[[], Hashable] = _state_here
    """Where it is and what its local variables hold, asked while it runs."""

    @property
    def is_idle(self) -> bool:
        """Whether it waits for work."""
        return self.serves and self.pending.label == FOR_WORK and not self.pending.ready()


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
    tried: set[TaskId] = field(default_factory=set)
    """Tasks that have tried for a lock without waiting."""
    forgotten: list[str] = field(default_factory=list)
    """Background tasks that were given up because nothing referred to them."""
    broken_by: BaseException | None = None
    object_of: Callable[[ObjectId], object] = lambda _: None
    """What the subject of an effect is, as long as it exists."""

    @property
    def schedule(self) -> Schedule:
        return Schedule(tuple(event.task for event in self.events))
