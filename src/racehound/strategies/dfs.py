from collections.abc import Mapping, Sequence

from racehound.engine.operation import Operation
from racehound.errors import ReplayDrift
from racehound.model.schedule import TaskId


class DepthFirst:
    """Tries every choice at every step: brute force, the yardstick for the clever search."""

    bound = None

    def __init__(self) -> None:
        self._path: list[tuple[tuple[TaskId, ...], int]] = []
        self._depth = 0
        self.exhausted = False

    def start_execution(self) -> bool:
        self._depth = 0
        return not self.exhausted

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del current, pending
        if self._depth == len(self._path):
            self._path.append((tuple(runnable), 0))
        options, index = self._path[self._depth]
        if options != tuple(runnable):
            raise ReplayDrift(f"at step {self._depth} other tasks can run than before")
        self._depth += 1
        return options[index]

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        del pending
        while self._path:
            options, index = self._path.pop()
            if index + 1 < len(options):
                self._path.append((options, index + 1))
                return
        self.exhausted = True
