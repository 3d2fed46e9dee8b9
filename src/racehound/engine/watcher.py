"""Who wants to see the operations of an execution."""

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId


class Watcher:
    """Sees each operation just before it runs, and the task again at its next step."""

    def before(self, task: TaskId, operation: Operation) -> None:
        """The operation is about to run."""

    def after(self, task: TaskId) -> None:
        """The last operation of the task has run; nobody else has moved since."""
