from collections.abc import Mapping, Sequence

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId
from racehound.strategies.single import Single


class Eldest(Single):
    """Lets a task run until it ends or has to wait, then the first of `order` that can go on.

    That is how serial runs are made of operations that wait for later ones: who was waited for comes to its end,
    and who was waiting goes on before the next one begins.
    """

    def __init__(self, order: Sequence[TaskId]) -> None:
        self._order = order

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del pending
        if current is not None and current in runnable:
            return current
        return next((task for task in self._order if task in runnable), runnable[0])
