from collections.abc import Mapping, Sequence
from random import Random

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId


class UniformRandomWalk:
    """URW: a task goes on with a chance that is in proportion to the steps it has left.

    Were the numbers of steps known and the same in every execution, every interleaving would be equally likely
    (Zhao, Wolff, Mathur and Roychoudhury, Selectively Uniform Concurrency Testing, ASPLOS 2025). The paper counts
    in a trial run; here each execution counts for the next one, so the first is a plain random walk.
    """

    exhausted = False
    bound = None

    def __init__(self, *, seed: int = 0) -> None:
        self._random = Random(seed)  # noqa: S311 - chance that must be repeatable, not secret
        self._expected: dict[TaskId, int] = {}
        self._taken: dict[TaskId, int] = {}

    def start_execution(self) -> bool:
        self._taken = {}
        return True

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del current, pending
        if len(runnable) == 1:
            chosen = runnable[0]
        else:
            chosen = self._random.choices(runnable, [self._left_of(task) for task in runnable])[0]
        self._taken[chosen] = self._taken.get(chosen, 0) + 1
        return chosen

    def _left_of(self, task: TaskId) -> int:
        return max(1, self._expected.get(task, 1) - self._taken.get(task, 0))

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        """Remember how many steps each task took."""
        del pending
        self._expected |= self._taken
