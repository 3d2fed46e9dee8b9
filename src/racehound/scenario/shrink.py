"""Shorter ways to the same failure.

Most races need one preemption: run one task up to some operation, let the others run to their end, go on. Only
operations that another task depends on are worth stopping at, so all such schedules are few and simply tried,
earliest switch first. Where none of them fails, two turns of one task are joined, as often as the failure stays.
"""

from collections.abc import Iterator
from itertools import groupby

from racehound.engine.execution import Trace
from racehound.model.schedule import Schedule, TaskId

Order = list[tuple[TaskId, int | None]]


def is_shortest(trace: Trace) -> bool:
    """Whether there is a single preemption already."""
    return len(trace.schedule.switches) <= len(trace.tasks) + 1


def shorter_schedules(trace: Trace) -> Iterator[Order]:
    """Schedules with a single preemption that are worth trying in place of the trace's own."""
    tasks = [task.id for task in trace.tasks]
    if is_shortest(trace):
        return
    for first in tasks:
        others = [task for task in tasks if task != first]
        for count in _stops(trace, first):
            yield [(first, count), *((other, None) for other in others), (first, None)]


def _stops(trace: Trace, task: TaskId) -> Iterator[int]:
    """After how many of its steps the task stands before an operation that another one depends on."""
    foreign = [event.operation for event in trace.events if event.task != task]
    own = (event.operation for event in trace.events if event.task == task)
    for count, operation in enumerate(own):
        if count and any(operation.depends_on(other) for other in foreign):
            yield count


def joined_schedules(schedule: Schedule) -> Iterator[Order]:
    """The schedule with one turn less: what a task does in it, it does in its next or in its previous turn."""
    turns = [(task, len(list(steps))) for task, steps in groupby(schedule.choices)]
    for place, (task, count) in enumerate(turns):
        later = (other for other in range(place + 1, len(turns)) if turns[other][0] == task)
        earlier = (other for other in range(place - 1, -1, -1) if turns[other][0] == task)
        for other in (next(later, None), next(earlier, None)):
            if other is not None:
                order: Order = [*turns]
                order[other] = (task, turns[other][1] + count)
                yield [*order[:place], *order[place + 1 :]]
