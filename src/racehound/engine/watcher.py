"""Who wants to see the operations of an execution."""

from racehound.engine.control import CONTROL
from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId


class Watcher:
    """Sees each operation just before it runs, and the task again at its next step."""

    def before(self, task: TaskId, operation: Operation) -> None:
        """The operation is about to run."""

    def after(self, task: TaskId) -> None:
        """The last operation of the task has run; nobody else has moved since."""


def look_before(watcher: Watcher | None, task: TaskId, operation: Operation, now: float) -> None:
    """Show the operation, if somebody wants to see it; looking at objects is not a step of the program."""
    if watcher is None:
        operation.subject = None  # the trace must not keep the program's objects alive
        return
    execution, CONTROL.execution, CONTROL.now = CONTROL.execution, None, now
    watcher.before(task, operation)
    CONTROL.execution = execution


def look_after(watcher: Watcher | None, task: TaskId) -> None:
    """Show what has become of it."""
    if watcher is not None:
        execution, CONTROL.execution = CONTROL.execution, None
        watcher.after(task)
        CONTROL.execution = execution
