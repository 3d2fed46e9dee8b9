"""Why nobody can go on: a deadlock, a wake-up that was lost, or a loop that waits for what nobody will write."""

from racehound.engine.execution import Ending, Trace
from racehound.engine.operation import Kind, Operation
from racehound.model.schedule import TaskId
from racehound.primitives.lock import ControlledLock

STUCK = (Ending.DEADLOCK, Ending.LIVELOCK)

_NEVER_COMES = {
    "condition": "a task waits for a condition that nobody will notify",
    "event": "a task waits for an event that nobody will set",
    "queue": "a task waits for an item that nobody will put into the queue",
    "Event": "a coroutine waits for an event that nobody will set",
    "Condition": "a coroutine waits for a condition that nobody will notify",
    "Queue": "a coroutine waits for an item that nobody will put into the queue",
    "Barrier": "a coroutine waits at a barrier that nobody else will reach",
}
_LOCKS = frozenset({"Lock", "Semaphore", "BoundedSemaphore", "semaphore"})


STANDSTILLS = frozenset({"deadlock", "livelock", "lost wake-up"})
"""Names of oracles: some task never goes on."""


def why_stuck(trace: Trace) -> tuple[str, str]:
    """The name of the oracle and a sentence."""
    if trace.ending is Ending.LIVELOCK:
        return "livelock", "a task looks for ever at something that nobody will write"
    blocked = [operation for operation in trace.blocked.values() if operation.kind is not Kind.START]
    if not any(_waits_for_lock(operation) for operation in blocked):
        for operation in blocked:
            if operation.label in _NEVER_COMES and operation.kind in (Kind.WAIT, Kind.TAKE, Kind.AWAIT):
                return "lost wake-up", _NEVER_COMES[operation.label]
    return "deadlock", "the tasks wait for each other for ever"


def is_held_up_by_itself(trace: Trace) -> bool:
    """Whether a task waits for a lock that it has taken itself."""
    waiting = ((task, wanted) for task, wanted in trace.blocked.items() if wanted.kind is Kind.ACQUIRE)
    return any(_has_taken(trace, task, wanted) for task, wanted in waiting)


def _has_taken(trace: Trace, task: TaskId, wanted: Operation) -> bool:
    if not isinstance(wanted.subject, ControlledLock):
        return False
    lock = wanted.effects[0].subject
    for event in reversed(trace.events):
        if event.operation.kind in _OF_LOCKS and event.operation.effects[0].subject == lock:
            return event.task == task and event.operation.kind is not Kind.RELEASE
    return False


_OF_LOCKS = (Kind.ACQUIRE, Kind.TRY_ACQUIRE, Kind.RELEASE)


def _waits_for_lock(operation: Operation) -> bool:
    return operation.kind is Kind.ACQUIRE or operation.label in _LOCKS
