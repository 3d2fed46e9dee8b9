"""What happened in one execution, and who took part."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NoReturn

from racehound.engine.operation import START, Operation
from racehound.engine.spin import Spin
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


@dataclass(slots=True)
class Task:
    id: TaskId
    body: Callable[[], object]
    pending: Operation = START
    result: object = None
    error: BaseException | None = None
    daemon: bool = False
    """Nobody waits for its end."""
    serves: bool = False
    """Works for others; waiting for more to do is no deadlock."""
    carrier: int = -1
    """The task on whose thread it runs: itself, unless it is a strand."""
    done: bool = False
    steps: int = 0
    spin: Spin | None = None
    """Kept once the task has made many steps."""

    @property
    def is_idle(self) -> bool:
        """Whether it waits for work."""
        return self.serves and self.pending.label == FOR_WORK and not self.pending.ready()


class StrandSlot:
    """Stands for a strand in the list of bodies; the last body runs the event loop that carries it."""

    task: Task

    def __call__(self) -> NoReturn:
        raise AssertionError("a strand has no thread of its own")


@dataclass(frozen=True, slots=True)
class Event:
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
