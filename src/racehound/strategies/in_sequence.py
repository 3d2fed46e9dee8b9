from collections.abc import Collection, Mapping, Sequence

from racehound.engine.operation import Kind, ObjectId, Operation
from racehound.model.schedule import TaskId
from racehound.strategies.single import Single


class InSequence(Single):
    """Lets the first tasks go on whenever they can, and else those in the background, a section each in turn.

    `wishes` names the task of each section; `beginnings` are the kinds of operations with which one may begin.
    """

    def __init__(self, first: int, wishes: Sequence[TaskId], beginnings: Collection[Kind]) -> None:
        self._first = first
        self._wishes = list(wishes)
        self._beginnings = beginnings
        self._held: dict[TaskId, set[ObjectId]] = {}

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        chosen = min(runnable)
        if chosen >= self._first:
            is_amidst = current in runnable and current is not None and not self._is_between(current, pending)
            chosen = current if is_amidst and current is not None else self._next(runnable)
        self._note(chosen, pending[chosen])
        return chosen

    def _is_between(self, task: TaskId, pending: Mapping[TaskId, Operation]) -> bool:
        return pending[task].kind in self._beginnings and not self._held.get(task)

    def _next(self, runnable: Sequence[TaskId]) -> TaskId:
        while self._wishes:
            task = self._wishes.pop(0)
            if task in runnable:
                return task
        return min(runnable)

    def _note(self, task: TaskId, operation: Operation) -> None:
        if operation.kind is Kind.ACQUIRE:
            self._held.setdefault(task, set()).add(operation.effects[0].subject)
        elif operation.kind is Kind.RELEASE:
            self._held.setdefault(task, set()).discard(operation.effects[0].subject)
