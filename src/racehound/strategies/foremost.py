from collections.abc import Mapping, Sequence

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId
from racehound.strategies.single import Single


class Foremost(Single):
    """Lets the task with the smallest number go on.

    That is how serial runs are made: the tasks of a scenario come before whatever they start, so that something
    in the background that never ends cannot keep an operation from its end.
    """

    def __init__(self, first: int | None = None) -> None:
        """Beyond the first so many the largest number goes on: who is started last may well begin first."""
        self._first = first

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del current, pending
        if self._first is None:
            return min(runnable)
        foremost = [task for task in runnable if task < self._first]
        return min(foremost) if foremost else max(runnable)
