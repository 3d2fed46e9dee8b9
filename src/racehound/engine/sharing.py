"""What tasks share in a way that was not observed closely enough; known once an execution is over."""

from collections.abc import Mapping

from racehound.engine.operation import SYNCHRONIZING, ObjectId
from racehound.engine.trace import Trace
from racehound.model.schedule import TaskId

THREADS_AND_STRANDS = "threads and coroutines share objects, and coroutines were not interrupted by threads"


def caveats_of_sharing(trace: Trace, opaque: Mapping[ObjectId, str]) -> set[str]:
    """Why the execution cannot count towards a proof of safety.

    `opaque` says of objects why what was done to them could not be seen; that matters only if they are shared.
    """
    caveats: set[str] = set()
    users: dict[ObjectId, set[TaskId]] = {subject: set() for subject in opaque}
    in_turns = _used_in_turns(trace) if any(task.host is not None for task in trace.tasks) else {}
    for task, operation in trace.events if users or in_turns else ():
        thread = _thread_of(trace, task)
        for effect in operation.effects:
            if effect.subject in users:
                users[effect.subject].add(task)
            if in_turns.get(effect.subject, {thread}) != {thread}:
                caveats.add(THREADS_AND_STRANDS)
    return caveats | {reason for subject, reason in opaque.items() if len(users[subject]) > 1}


def _thread_of(trace: Trace, task: TaskId) -> TaskId:
    host = trace.tasks[task].host
    return task if host is None else host


def _used_in_turns(trace: Trace) -> dict[ObjectId, set[TaskId]]:
    """What strands use in the middle of their turns, where others could have come in between; on which threads."""
    used: dict[ObjectId, set[TaskId]] = {}
    for task, operation in trace.events:
        for part in operation.inner:
            if part.site and part.kind not in SYNCHRONIZING:
                for effect in part.effects:
                    used.setdefault(effect.subject, set()).add(_thread_of(trace, task))
    return used
