from collections.abc import Mapping, Sequence

from racehound.engine.operation import Kind, Operation
from racehound.model.schedule import TaskId
from racehound.strategies.single import Single

_BETWEEN = (Kind.START, Kind.YIELD, Kind.FINISH)


class Foremost(Single):
    """Lets the task with the smallest number go on.

    That is how serial runs are made: the tasks of a scenario come before whatever they start, so that something
    in the background that never ends cannot keep an operation from its end.
    """

    def __init__(self, first: int | None = None) -> None:
        """Beyond the first so many the largest number goes on: who is started last may well begin first.

        That is not so for what one of the first waits for: which of its helpers comes first is its own affair.
        """
        self._first = first

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del current
        if self._first is None or any(self._is_amidst(task, pending[task]) for task in pending):
            return min(runnable)
        foremost = [task for task in runnable if task < self._first]
        return min(foremost) if foremost else max(runnable)

    def _is_amidst(self, task: TaskId, operation: Operation) -> bool:
        """Whether a task of the scenario is in the middle of something: what it waits for is part of it then."""
        return self._first is not None and task < self._first and operation.kind not in _BETWEEN
