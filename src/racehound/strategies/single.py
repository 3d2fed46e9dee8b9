from collections.abc import Mapping

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId


class Single:
    """What strategies have in common that are for one execution and learn nothing from it."""

    _started = False

    def start_execution(self) -> bool:
        fresh, self._started = not self._started, True
        return fresh

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        """Nothing to learn."""
