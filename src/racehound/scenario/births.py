"""Where the tasks of an execution come from that the scenario does not name."""

from collections.abc import Iterator

from racehound.engine.execution import Trace
from racehound.engine.operation import Kind
from racehound.model.proof import Birth
from racehound.model.schedule import TaskId
from racehound.scenario.timeline import shown_events


def births_of(trace: Trace) -> tuple[Birth, ...]:
    """Coroutines run on the thread of their event loop; other tasks were started by somebody's operation."""
    started = (task.id for task in trace.tasks[trace.first :] if task.host is None)
    parents = dict(zip(started, _starters(trace), strict=False))  # an execution may end amidst a start
    begun = _begun(trace)
    return tuple(
        Birth(
            task=task.id,
            parent=parents[task.id] if task.host is None else task.host,
            shares_thread=task.host is not None,
            begun=begun.get(task.id, 0),
        )
        for task in trace.tasks
        if task.host is not None or task.id in parents
    )


def _starters(trace: Trace) -> Iterator[TaskId]:
    for event in trace.events:
        for operation in (event.operation, *event.operation.inner):
            if operation.kind is Kind.SPAWN:
                yield event.task


def _begun(trace: Trace) -> dict[TaskId, int]:
    """For each task that has begun, how many steps are shown before."""
    shown = {id(event.operation) for event in shown_events(trace)}
    begun: dict[TaskId, int] = {}
    count = 0
    for task, operation in trace.events:
        begun.setdefault(task, count)
        count += sum(id(item) in shown for item in (operation, *operation.inner))
    return begun
