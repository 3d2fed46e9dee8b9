"""Shorter ways to the same failure.

Most races need one preemption: run one task up to some step, let the other run to its end, go on. All such
schedules of a failing execution are few, so they are simply tried, earliest switch first.
"""

from collections.abc import Iterator

from racehound.engine.execution import Trace
from racehound.model.schedule import TaskId

Order = list[tuple[TaskId, int | None]]


def shorter_schedules(trace: Trace) -> Iterator[Order]:
    """Schedules with a single preemption that are worth trying in place of the trace's own."""
    tasks = [task.id for task in trace.tasks]
    if len(trace.schedule.switches) <= 3:
        return
    for first in tasks:
        others = [task for task in tasks if task != first]
        steps = sum(1 for event in trace.events if event.task == first)
        for count in range(1, steps):
            yield [(first, count), *((other, None) for other in others), (first, None)]
