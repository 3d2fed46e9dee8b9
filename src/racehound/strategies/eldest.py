from collections.abc import Callable, Iterator, Mapping, Sequence

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId
from racehound.strategies.single import Single


class Eldest(Single):
    """Lets an operation run until it ends or has to wait, then goes on with the first of them that can go on.

    That is how serial runs are made of operations that wait for later ones: who was waited for comes to its end,
    and who was waiting goes on before the next one begins.
    """

    def __init__(self, order: Sequence[TaskId], finished: Callable[[], Sequence[int]]) -> None:
        """`order` names the task of each operation; `finished` counts for each task those that have ended."""
        self._order = order
        self._finished = finished
        self._ended: Sequence[int] = ()

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del pending
        ended, self._ended = self._ended, self._finished()
        if current is not None and current in runnable and ended == self._ended:
            return current
        return next((task for task in self._left() if task in runnable), runnable[0])

    def _left(self) -> Iterator[TaskId]:
        """Who has to do the operations that have not ended, in their order."""
        begun = dict.fromkeys(self._order, 0)
        for task in self._order:
            begun[task] += 1
            if begun[task] > self._ended[task]:
                yield task
