from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Final

from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.model.schedule import TaskId

Counts = dict[TaskId, int]

_USES: Final = frozenset({Kind.READ, Kind.WRITE, Kind.DELETE, Kind.CHECK, Kind.ITERATE, Kind.CALL})
"""What is done to objects of the program, unlike to locks and threads."""


def _name(effect: Effect) -> Hashable:
    """What is used; the number of an object may change between executions, the name of an attribute does not."""
    return ("object", effect.subject) if effect.part is WHOLE else effect.part


class UniformRandomWalk:
    """URW: a task goes on with a chance that is in proportion to the steps it has left.

    Were the numbers of steps known and the same in every execution, every interleaving would be equally likely
    (Zhao, Wolff, Mathur and Roychoudhury, Selectively Uniform Concurrency Testing, ASPLOS 2025). The paper counts
    in a trial run; here each execution counts for the next one, so the first is a plain random walk.

    Every other execution is selective, as in the paper: only the uses of one shared thing count. The task that
    is to make the next one of these is drawn, and the others wait before theirs. So a race is met however many
    steps that have nothing to do with it one task is behind the other.
    """

    exhausted = False
    bound = None

    def __init__(self, *, seed: int = 0) -> None:
        self._random = Random(seed)  # noqa: S311 - chance that must be repeatable, not secret
        self._steps: dict[Hashable, Counts] = {None: {}}
        """How often each task used each thing, and how many steps it made, at most."""
        self._taken: dict[Hashable, Counts] = {}
        self._written: set[Hashable] = set()
        self._executions = 0
        self._selected: Hashable = None
        self._next: TaskId | None = None

    def start_execution(self) -> bool:
        self._taken = {None: {}}
        self._next = self._selected = None
        self._executions += 1
        shared = [part for part, tasks in self._steps.items() if len(tasks) > 1 and part in self._written]
        if self._executions % 2 == 0 and shared:
            self._selected = self._random.choice(shared)
        return True

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del current
        chosen = runnable[0]
        if len(runnable) > 1:
            chosen = self._drawn(self._free(runnable, pending))
        self._count(chosen, pending[chosen])
        return chosen

    def _free(self, runnable: Sequence[TaskId], pending: Mapping[TaskId, Operation]) -> Sequence[TaskId]:
        """All that can go on, but for those that have to let another one use the selected object first."""
        if self._selected is None:
            return runnable
        if self._next not in pending:
            self._next = self._drawn(list(pending))
        free = [task for task in runnable if task == self._next or not self._is_selected(pending[task])]
        return free or runnable

    def _is_selected(self, operation: Operation) -> bool:
        return any(_name(effect) == self._selected for effect in operation.effects)

    def _drawn(self, tasks: Sequence[TaskId]) -> TaskId:
        return self._random.choices(tasks, [self._left_of(task) for task in tasks])[0]

    def _left_of(self, task: TaskId) -> int:
        expected = self._steps.get(self._selected, {}).get(task, 1)
        return max(1, expected - self._taken.get(self._selected, {}).get(task, 0))

    def _count(self, task: TaskId, operation: Operation) -> None:
        if self._selected is not None and self._is_selected(operation):
            self._next = None
        used = (
            {_name(effect) for effect in operation.effects} if operation.site and operation.kind in _USES else ()
        )
        self._written.update(_name(effect) for effect in operation.effects if effect.writes)
        for part in (None, *used):
            counts = self._taken.setdefault(part, {})
            counts[task] = counts.get(task, 0) + 1

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        """Remember how many steps each task took, at most: a thread of a pool may get nothing to do by chance."""
        del pending
        for part, counts in self._taken.items():
            known = self._steps.setdefault(part, {})
            for task, taken in counts.items():
                known[task] = max(taken, known.get(task, 0))
