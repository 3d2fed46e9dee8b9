"""What tasks share in a way that was not observed closely enough; known once an execution is over.

Of an object that cannot be looked into only the uses are known, not what each of them does step by step. That
does no harm where the object is not shared, nor where every use of it holds one and the same lock: then no use can
begin before another is over, and the order of the uses is that of the lock, which the search turns round. Where
they only read, others may read a part of it without that lock, such as the attribute in which the lock is.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId, Operation
from racehound.engine.trace import Trace
from racehound.model.schedule import TaskId

Locks = frozenset[ObjectId]


class Opaque(NamedTuple):
    """Why what was done to an object could not be seen."""

    reason: str
    guardable: bool = True
    """Whether a lock can keep others from it; what is outside the program has users that know of no lock."""
    changes: bool = True
    """Whether what could not be seen may have changed it; else it matters only where somebody is seen to."""

    def and_also(self, other: "Opaque") -> "Opaque":
        """What is known of an object after two such uses."""
        if self.changes or not other.changes:
            return self
        return other


class _Holders:
    """Which task holds which locks, as the steps of an execution go by.

    Strands hold nothing here: what they take within a turn, they may give back within the same turn.
    """

    def __init__(self) -> None:
        self._held: dict[TaskId, Locks] = {}

    def after(self, task: TaskId, operation: Operation) -> Locks:
        """What the task holds from this step on."""
        if operation.kind is Kind.ACQUIRE and not operation.late:
            self._held[task] = self.by(task) | {operation.effects[0].subject}
        for part in operation.parts:
            if part.kind is Kind.RELEASE:  # anybody may give a lock back
                given = {part.effects[0].subject}
                self._held = {holder: locks - given for holder, locks in self._held.items()}
        return self.by(task)

    def by(self, task: TaskId) -> Locks:
        return self._held.get(task, frozenset())


def caveats_of_sharing(trace: Trace, opaque: Mapping[ObjectId, Opaque]) -> set[str]:
    """Why the execution cannot count towards a proof of safety."""
    users: dict[ObjectId, set[TaskId]] = {subject: set() for subject in opaque}
    guards: dict[ObjectId, Locks] = {}
    changed = {subject for subject, known in opaque.items() if known.changes}
    for effect, task, held in _uses(trace):
        subject = effect.subject
        if subject in users:
            users[subject].add(task)
            if effect.writes or effect.part is WHOLE or opaque[subject].changes:
                guards[subject] = guards.get(subject, held) & held
            if effect.writes:
                changed.add(subject)
    return {
        opaque[subject].reason
        for subject in changed
        if len(users[subject]) > 1 and not (opaque[subject].guardable and guards.get(subject))
    }


def _uses(trace: Trace) -> Iterator[tuple[Effect, TaskId, Locks]]:
    holders = _Holders()
    for task, operation in trace.raced:
        held = holders.after(task, operation)
        for effect in operation.effects:
            yield effect, task, held
