"""Threads that sleep in a loop, and what they do in between.

A wait with a timeout that a task in the background makes in a loop is such a sleep, which others may end early.

A task that comes back to the same sleep with the same local variables, having changed nothing on the way, will do
just the same in its next round unless somebody writes to what it has looked at. It is left to sleep until then: so
many rounds more would end alike. Locks that it takes and gives back in its round change nothing either.
"""

import sys
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from racehound.engine.company import MOST_NAPS, OTHERS_FIRST
from racehound.engine.likeness import Likeness
from racehound.engine.loops import is_in_loop, is_stepping
from racehound.engine.numbers import Numbers
from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId, Operation
from racehound.engine.spin import CLOCK, SLEEP, Suspects, written_by
from racehound.engine.trace import Event, Task, Trace

if TYPE_CHECKING:
    from racehound.model.schedule import TaskId

ALIKE = 2
"""Rounds in a row that leave everything as it was, after which the next ones will, too."""
TAKEN_BY_SLEEPER = "a lock is tried for that a task in the background takes again and again"

_LOCKING: Final = frozenset({Kind.ACQUIRE, Kind.RELEASE, Kind.TRY_ACQUIRE})
_WAITING: Final = frozenset({Kind.WAIT, Kind.TAKE, Kind.JOIN, Kind.YIELD})


class _Nap(NamedTuple):
    begun: int
    """How many events there had been."""
    state: Hashable
    expired: int
    """How many waits of the task had ended in vain."""
    numbered: int
    """How many objects had a number."""
    likeness: Likeness | None
    steps: bool = False
    """Whether the task is in the middle of a `for` loop, which may end though all is as before."""
    unchanged: int = 0
    """After how many rounds in a row all was as before."""


_BEFORE: Final = _Nap(0, None, 0, 0, None)


class Naps:
    """Where the tasks of an execution have slept the last time."""

    def __init__(self, caveats: set[str], names: Numbers) -> None:
        self._caveats = caveats
        self._names = names
        self._last: dict[TaskId, _Nap] = {}
        self._take_locks = False  # one that is left to sleep takes a lock in its rounds

    def doze(self, task: Task, wait: Operation, events: Sequence[Event], suspects: Suspects) -> None:
        """A task is about to wait for a time at most, which is how those in the background sleep."""
        in_background = task.daemon and task.host is None and wait.kind in _WAITING
        if not in_background or not is_in_loop(sys._getframe()):  # noqa: SLF001 - the frame that asks is where the task is
            return
        wait.recurs = True
        if wait.kind is not Kind.YIELD:
            _add_passing_of_time(wait, Effect(self._names.number_of(("clock",)), task.id, writes=True))
        self.begin(task, events, suspects, wait)

    def begin(
        self, task: Task, events: Sequence[Event], suspects: Suspects, wait: Operation | None = None
    ) -> None:
        """A task is about to sleep: it may have gone round a loop in vain."""
        last, now = self._last.get(task.id, _BEFORE), self._nap(task, events, doing=wait is not None)
        self._last[task.id] = now
        own = [event.operation for event in events[last.begun :] if event.task == task.id]
        looks = _looks_of(own) + (wait.effects if wait is not None else ())
        others = [event.operation for event in events[last.begun :] if event.task != task.id]
        is_own_doing = wait is None or task.expired > last.expired
        if not _is_quiet(own) or (not is_own_doing and any(operation.kind is Kind.TAKE for operation in own)):
            looks += tuple(Effect(number, WHOLE, writes=False) for number in self._numbers_inside(now))
            if now.steps or _has_news(looks, others) or not self._is_as_before(last, now, own):
                task.naps += is_own_doing
                return
            self._last[task.id] = now = now._replace(unchanged=last.unchanged + 1)
            is_over = now.unchanged >= ALIKE
        else:
            has_news = _has_news(looks, others)
            is_over = not has_news and last.state == now.state and not now.steps
            task.naps += is_own_doing and not has_news and not is_over and last is not _BEFORE
        if is_over:
            self._take_locks |= any(operation.kind in _LOCKING for operation in own)
            suspects.lay_to_rest(task, Operation(Kind.READ, looks))

    def _nap(self, task: Task, events: Sequence[Event], *, doing: bool) -> _Nap:
        frame = sys._getframe()  # noqa: SLF001 - the frame that asks is where the task is
        likeness = Likeness(frame) if doing else None
        return _Nap(len(events), task.state(), task.expired, self._names.count, likeness, steps=is_stepping(frame))

    def _numbers_inside(self, nap: _Nap) -> list[ObjectId]:
        """The numbers of all that the task could look at in its next round."""
        inside = [] if nap.likeness is None else nap.likeness.inside.values()
        return [self._names.number(each, _address_of(each)) for each in inside]

    def _is_as_before(self, last: _Nap, now: _Nap, own: Sequence[Operation]) -> bool:
        """Whether the task has written, but left everything as it was, as far as it could get at it."""
        if last.likeness is None or now.likeness is None or not now.likeness.is_that_of(last.likeness):
            return False
        if any(operation.label == CLOCK or operation.late for operation in own):
            return False
        seen = {*self._numbers_inside(last), *self._numbers_inside(now)}
        changes = (operation for operation in own if operation.kind not in _LOCKING and not _is_nap(operation))
        written = {effect.subject for operation in changes for effect in operation.effects if effect.writes}
        return all(subject in seen or subject >= last.numbered for subject in written)

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


def _has_news(looks: Iterable[Effect], others: Iterable[Operation]) -> bool:
    """Whether others have written to what the task has looked at."""
    subjects = {effect.subject for effect in looks}
    return any(not subjects.isdisjoint(written_by(operation)) for operation in others)


def _address_of(subject: object) -> int:
    """What stands for an object where it is numbered: its dictionary, if it has one."""
    return id(vars(subject)) if type(subject).__dictoffset__ else id(subject)


def _is_quiet(operations: Sequence[Operation]) -> bool:
    held: list[ObjectId] = []
    for operation in operations:
        if operation.kind is Kind.ACQUIRE:
            held.append(operation.effects[0].subject)
        elif operation.kind is Kind.RELEASE:
            if operation.effects[0].subject not in held:
                return False
            held.remove(operation.effects[0].subject)
        elif operation.label == CLOCK or (not _is_nap(operation) and _changes(operation)):
            return False
    return not held


def _is_nap(operation: Operation) -> bool:
    return operation.label == SLEEP or operation.recurs


def _add_passing_of_time(wait: Operation, passing: Effect) -> None:
    wait.effects += (passing,)
    renew = wait.refresh
    if renew is not None:
        wait.refresh = lambda: (*renew(), passing)


def _changes(operation: Operation) -> bool:
    return operation.late or any(effect.writes for effect in operation.effects)


def _looks_of(operations: Sequence[Operation]) -> tuple[Effect, ...]:
    looks = (operation for operation in operations if operation.kind not in _LOCKING and not _is_nap(operation))
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
        elif _is_nap(operation):
            asleep.add(task)
        elif task in asleep and operation.kind not in _LOCKING and _changes(operation):
            acted = True
    return False
