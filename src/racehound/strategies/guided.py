from collections.abc import Mapping, Sequence

from racehound.engine.operation import Kind, Operation
from racehound.model.schedule import TaskId
from racehound.strategies.single import Single


class Guided(Single):
    """Lets each task of `order` run for its number of steps, then the next; never fails, only strays.

    Serial runs and shorter variants of a failing schedule are such wishes. A wish that cannot be granted (the
    task is blocked or done) passes to the next one; one that is to come (the task has not begun) is kept. At the
    end of the list the running task goes on. A number of None means: to its end.
    """

    def __init__(self, order: Sequence[tuple[TaskId, int | None]]) -> None:
        self._wishes = [list(wish) for wish in order]
        self._known: set[TaskId] = set()

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        self._known.update(runnable, pending)
        while self._wishes:
            task, steps = self._wishes[0]
            if task not in runnable and self._is_to_come(TaskId(task), pending):  # type: ignore[arg-type]  # a task
                break
            if task not in runnable or steps == 0:
                self._wishes.pop(0)
                continue
            if steps is not None:
                self._wishes[0][1] = steps - 1
            return TaskId(task)  # type: ignore[arg-type]  # the first of each pair is a task
        return current if current is not None and current in runnable else runnable[0]

    def _is_to_come(self, task: TaskId, pending: Mapping[TaskId, Operation]) -> bool:
        """Whether nobody has started the task yet, or it has not been given anything to do."""
        operation = pending.get(task)
        return task not in self._known or (operation is not None and operation.kind is Kind.START)
