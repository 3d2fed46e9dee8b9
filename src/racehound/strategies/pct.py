from collections.abc import Mapping, Sequence
from random import Random

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId


class ProbabilisticConcurrencyTesting:
    """PCT: tasks have random priorities, and at `depth` - 1 random steps the running one falls behind all others.

    Among n tasks of k steps together, a bug that needs d ordered steps is met with a chance of at least
    1 / (n * k^(d-1)) (Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010). The paper is told k; here
    it is the greatest length seen so far.
    """

    exhausted = False
    bound = None

    def __init__(self, *, seed: int = 0, depth: int = 3) -> None:
        self._random = Random(seed)  # noqa: S311 - chance that must be repeatable, not secret
        self._depth = depth
        self._longest = 1
        self._step = 0
        self._changes: dict[int, int] = {}
        self._priority: dict[TaskId, float] = {}

    def start_execution(self) -> bool:
        self._step = 0
        self._priority.clear()
        steps = self._random.sample(range(self._longest), min(self._depth - 1, self._longest))
        self._changes = {step: -number for number, step in enumerate(steps, 1)}
        return True

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del current
        priority = self._priority
        for task in pending:
            if task not in priority:
                priority[task] = self._random.random()
        chosen = max(runnable, key=priority.__getitem__)
        lowered = self._changes.get(self._step)
        if lowered is not None:
            priority[chosen] = lowered
            chosen = max(runnable, key=priority.__getitem__)
        self._step += 1
        return chosen

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        """Remember how long executions are."""
        del pending
        self._longest = max(self._longest, self._step)
