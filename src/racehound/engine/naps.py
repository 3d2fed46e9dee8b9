"""Threads that sleep in a loop, and what they do in between.

A task that comes back to the same sleep with the same local variables, having changed nothing on the way, will do
just the same in its next round unless somebody writes to what it has looked at. It is left to sleep until then: so
many rounds more would end alike. Locks that it takes and gives back in its round change nothing either.
"""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

from racehound.engine.company import MOST_NAPS, OTHERS_FIRST
from racehound.engine.operation import Effect, Kind, ObjectId, Operation
from racehound.engine.spin import CLOCK, SLEEP, Suspects, written_by
from racehound.engine.trace import Event, Task, Trace

if TYPE_CHECKING:
    from racehound.model.schedule import TaskId

TAKEN_BY_SLEEPER = "a lock is tried for that a task in the background takes again and again"

_LOCKING: Final = frozenset({Kind.ACQUIRE, Kind.RELEASE, Kind.TRY_ACQUIRE})


class Naps:
    """Where the tasks of an execution have slept the last time."""

    def __init__(self, caveats: set[str]) -> None:
        self._caveats = caveats
        self._last: dict[TaskId, tuple[int, Hashable]] = {}
        self._take_locks = False  # one that is left to sleep takes a lock in its rounds

    def begin(self, task: Task, events: Sequence[Event], suspects: Suspects) -> None:
        """A task is about to sleep: it may have gone round a loop in vain."""
        state = task.state()
        begun, before = self._last.get(task.id, (0, None))
        self._last[task.id] = len(events), state
        own = [event.operation for event in events[begun:] if event.task == task.id]
        looks = _looks_of(own)
        subjects = {effect.subject for effect in looks}
        others = (event.operation for event in events[begun:] if event.task != task.id)
        has_news = any(not subjects.isdisjoint(written_by(operation)) for operation in others)
        if not _is_quiet(own):
            task.naps += 1
        elif not has_news and before == state:
            self._take_locks |= any(operation.kind in _LOCKING for operation in own)
            suspects.lay_to_rest(task, Operation(Kind.READ, looks))
        else:
            task.naps += not has_news

    def have_been_enough(self, task: Task) -> bool:
        """Whether a task in the background has slept so often that it is for others to go on."""
        if not task.daemon or task.naps <= MOST_NAPS or (task.spin is not None and task.spin.is_idle):
            return False
        self._caveats.add(OTHERS_FIRST)
        return True

    def note_try(self) -> None:
        """Somebody tries for a lock."""
        if self._take_locks:
            self._caveats.add(TAKEN_BY_SLEEPER)


def _is_quiet(operations: Sequence[Operation]) -> bool:
    held: list[ObjectId] = []
    for operation in operations:
        if operation.kind is Kind.ACQUIRE:
            held.append(operation.effects[0].subject)
        elif operation.kind is Kind.RELEASE:
            if operation.effects[0].subject not in held:
                return False
            held.remove(operation.effects[0].subject)
        elif operation.label == CLOCK or (operation.label != SLEEP and _changes(operation)):
            return False
    return not held


def _changes(operation: Operation) -> bool:
    return operation.late or any(effect.writes for effect in operation.effects)


def _looks_of(operations: Sequence[Operation]) -> tuple[Effect, ...]:
    looks = (operation for operation in operations if operation.kind not in _LOCKING and operation.label != SLEEP)
    return tuple(dict.fromkeys(effect for operation in looks for effect in operation.effects))


def acts_amidst(trace: Trace) -> bool:
    """Whether something in the background has woken up and changed something before the others were done.

    Where nothing has, how far it might have come is no reason for what they came to. Tasks of an event loop count
    as if they had.
    """
    background = {task.id for task in trace.tasks[trace.first :] if task.daemon}
    if any(trace.tasks[task].host is not None for task in background):
        return True
    asleep: set[TaskId] = set()
    acted = False
    for task, operation in trace.events:
        if task not in background:
            if acted:
                return True
        elif operation.label == SLEEP:
            asleep.add(task)
        elif task in asleep and operation.kind not in _LOCKING and _changes(operation):
            acted = True
    return False
