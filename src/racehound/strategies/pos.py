from collections.abc import Mapping, Sequence
from random import Random

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId


class PartialOrderSampling:
    """POS: every pending operation has a random priority, the highest goes on.

    After a step, the operations that depend on it draw again, so that each order of dependent operations has
    a fair chance and independent ones waste none (Yuan, Yang and Gu, Partial Order Aware Concurrency Sampling,
    CAV 2018).
    """

    exhausted = False
    bound = None

    def __init__(self, *, seed: int = 0) -> None:
        self._random = Random(seed)  # noqa: S311 - chance that must be repeatable, not secret
        self._priority: dict[TaskId, float] = {}

    def start_execution(self) -> bool:
        self._priority.clear()
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
        executed = pending[chosen]
        del priority[chosen]
        if executed.effects:
            for task in [task for task in priority if task in pending and pending[task].depends_on(executed)]:
                del priority[task]
        return chosen

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        """Nothing to learn."""
