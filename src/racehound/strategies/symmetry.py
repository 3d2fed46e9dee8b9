"""Identical tasks: who of them takes a step first is a matter of names only.

Two tasks with the same body on the same subject are *twins* as long as they have gone through the same: the
same operations in the same order, each of which met the same state. As long as that holds, swapping the two
(and the objects that only they have touched) leaves the whole state as it is. Whatever can happen when the
younger twin makes the next step can therefore happen, with the names swapped, when the elder does. So the
younger waits: it makes its k-th step only after the elder has made its own k-th step.

No outcome is lost but for the names. Take any execution, and in it the first step in which a younger twin
goes ahead. Swap the two names in all that follows: the execution is as possible as before, and the step is
now the elder's. Should it now be ahead of an even elder twin, swap again; the number falls each time, so this
ends, and the first violation has moved further back. Repeated to the end this gives an execution that
obeys the rule and ends in the same state up to names. The oracles do not care for names: serial outcomes are
taken over all orders, and an invariant sees the state alone. (Emerson and Sistla, Symmetry and Model
Checking, 1996, do this for whole state graphs; here it is done along one execution.)

Whether a step met the same state is judged from effects, never too generously. A step on a shared object
is the same for both only if nobody has written to that place from the elder's step, that step included, until
the younger's. So a write or a lock taken ends the twinship, after the younger has made that step too. A step
on different objects is the same only if each object is known to that task alone. Steps that tie a task to others
in ways that effects do not tell, such as starting a thread or sleeping, end the twinship whatever they met.

The search must know that the elder's step makes the younger's possible: the two are ordered (`after`), and
turning them round is no choice. With that edge the restricted program is one more program with blocking
operations, for which the search is exhaustive. Whether twins are still twins does not depend on the order of
independent steps: what ends the twinship is a write that depends on both steps in question.
"""

from collections.abc import Mapping, Sequence

from racehound.engine.operation import Effect, Kind, ObjectId, Operation, effects_meet
from racehound.model.schedule import TaskId

NOTHING = -1

_TOLD_BY_EFFECTS = frozenset(
    {
        Kind.START,
        Kind.READ,
        Kind.WRITE,
        Kind.DELETE,
        Kind.CHECK,
        Kind.ITERATE,
        Kind.CALL,
        Kind.ACQUIRE,
        Kind.TRY_ACQUIRE,
        Kind.RELEASE,
    }
)


class Twins:
    """Follows one execution; `groups` gives each task the number of its kind, equal for identical tasks."""

    def __init__(self, groups: Sequence[int]) -> None:
        self._elder: dict[TaskId, TaskId] = {}
        latest: dict[int, TaskId] = {}
        for number, group in enumerate(groups):
            if group in latest:
                self._elder[TaskId(number)] = latest[group]
            latest[group] = TaskId(number)
        self._steps: list[tuple[TaskId, Operation]] = []
        self._own: dict[TaskId, list[int]] = {}
        self._users: dict[ObjectId, set[TaskId]] = {}

    def waits(self, task: TaskId, pending: Mapping[TaskId, Operation]) -> bool:
        """Whether the task has to let its elder twin go first."""
        elder = self._elder.get(task)
        if elder is None or elder not in pending:
            return False
        return len(self._own.get(elder, ())) <= len(self._own.get(task, ()))

    def record(self, task: TaskId, operation: Operation) -> int:
        """Note the step; the answer is the step of the elder twin that it came after, or NOTHING."""
        own = self._own.setdefault(task, [])
        step, count = len(self._steps), len(own)
        own.append(step)
        self._steps.append((task, operation))
        for effect in operation.effects:
            self._users.setdefault(effect.subject, set()).add(task)
        elder = self._elder.get(task)
        if elder is None:
            return NOTHING
        theirs = self._own.get(elder, [])
        if count >= len(theirs):
            del self._elder[task]
            return NOTHING
        if not self._went_alike(theirs[count], step):
            del self._elder[task]
        return theirs[count]

    def _went_alike(self, first: int, second: int) -> bool:
        elder, before = self._steps[first]
        younger, after = self._steps[second]
        if (before.kind, before.site, len(before.effects)) != (after.kind, after.site, len(after.effects)):
            return False
        if before.kind not in _TOLD_BY_EFFECTS:
            return False
        return all(
            self._untouched(mine, first, second)
            if mine.subject == theirs.subject and mine.part == theirs.part
            else self._users[mine.subject] == {elder} and self._users[theirs.subject] == {younger}
            for mine, theirs in zip(before.effects, after.effects, strict=True)
        )

    def _untouched(self, effect: Effect, first: int, second: int) -> bool:
        return not any(
            other.writes and effects_meet(effect._replace(writes=True), other)
            for _, operation in self._steps[first:second]
            for other in operation.effects
        )
