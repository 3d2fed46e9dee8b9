from collections.abc import Mapping, Sequence

from racehound.engine.operation import Operation
from racehound.errors import ReplayDrift
from racehound.model.schedule import TaskId


class PreemptionBound:
    """Every schedule without preemption, then every one with a single preemption, and so on up to `limit`.

    A preemption takes the turn from a task that could have gone on. Most bugs need one or two, so the first
    counterexample is one of the simplest there are (Musuvathi and Qadeer, Iterative Context Bounding, PLDI 2007).
    Nothing is reduced: a bound and partial-order reduction together would miss schedules within the bound. Once
    no schedule was cut by the bound, everything has been tried, and the search is exhausted.
    """

    def __init__(self, *, limit: int | None = None) -> None:
        self._limit = limit
        self._allowed = 0
        self._path: list[tuple[tuple[TaskId, ...], int]] = []  # options, and the index of the one taken
        self._depth = 0
        self._used = 0
        self._cut = False
        self._done = False
        self.exhausted = False
        self.bound: int | None = None

    def start_execution(self) -> bool:
        self._depth = 0
        self._used = 0
        return not self._done

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del pending
        options = self._options(runnable, current)
        if self._depth == len(self._path):
            self._path.append((options, 0))
        known, index = self._path[self._depth]
        if known != options:
            raise ReplayDrift(f"at step {self._depth} other tasks can run than before")
        self._depth += 1
        chosen = options[index]
        self._used += current in runnable and chosen != current
        return chosen

    def _options(self, runnable: Sequence[TaskId], current: TaskId | None) -> tuple[TaskId, ...]:
        """The running task first; others only where that is no preemption too many."""
        if current is None or current not in runnable:
            return tuple(runnable)
        if self._used < self._allowed:
            return (current, *(task for task in runnable if task != current))
        self._cut = self._cut or len(runnable) > 1
        return (current,)

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        del pending
        while self._path:
            options, index = self._path.pop()
            if index + 1 < len(options):
                self._path.append((options, index + 1))
                return
        self._raise_bound()

    def _raise_bound(self) -> None:
        self.bound = self._allowed
        self.exhausted = not self._cut
        self._done = self.exhausted or self._allowed == self._limit
        self._allowed += 1
        self._cut = False
