from collections.abc import Mapping, Sequence

from racehound.engine.operation import Operation
from racehound.engine.strategy import SearchStrategy
from racehound.model.schedule import TaskId


class Limited:
    """Another strategy, for a number of executions."""

    def __init__(self, inner: SearchStrategy, executions: int) -> None:
        self._inner = inner
        self._left = executions

    @property
    def exhausted(self) -> bool:
        return self._inner.exhausted

    @property
    def bound(self) -> int | None:
        return self._inner.bound

    def start_execution(self) -> bool:
        self._left -= 1
        return self._left >= 0 and self._inner.start_execution()

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId | None:
        return self._inner.choose(runnable, current, pending)

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        self._inner.end_execution(pending)
