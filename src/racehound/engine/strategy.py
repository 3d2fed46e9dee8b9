from collections.abc import Mapping, Sequence
from typing import Protocol

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId


class Strategy(Protocol):
    """Decides; never acts.

    A strategy lives across executions, holds no task objects and draws all chance from the seed it was
    built with: the same seed and the same answers of the program give the same schedule.
    """

    def start_execution(self) -> bool:
        """Prepare for one more execution, or say that there is none left to try."""
        ...

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId | None:
        """Pick who goes on; None ends an execution that an earlier one already stands for.

        `pending` holds the next operation of every task that is not done, blocked ones included; `current`
        is the task that ran last, or None when it has ended.
        """
        ...

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        """Learn from the execution; `pending` is what unfinished tasks were still waiting for."""
        ...
