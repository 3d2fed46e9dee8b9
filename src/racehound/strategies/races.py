"""Who happened before whom in one execution, and which pairs could have gone the other way round.

Steps are ordered by their task, by dependence, and where one made the other possible. A *race* is a step and a
later dependent one of another task with nothing ordered in between: they could have met. To see the other
order, the search must begin, at the state before the earlier step, with some task whose next step belongs to
what does not need the earlier one (an *initial* of that sequence, in the words of Abdulla, Aronis, Jonsson and
Sagonas, Optimal Dynamic Partial Order Reduction, POPL 2014, whose source sets these are).

Locks need a word. The step that an acquire directly depends on is the release before it, and these two are never
a choice; the race is with the acquire that the release belongs to. An operation that was blocked where it
would have to go first is not planned for there; it may still race with something earlier, so the look back
goes on.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from racehound.engine.operation import Kind, ObjectId, Operation
from racehound.model.schedule import TaskId
from racehound.strategies.symmetry import NOTHING

Clock = dict[TaskId, int]
"""For each task its last step that came before."""

_CHANGES = (Kind.ACQUIRE, Kind.TRY_ACQUIRE, Kind.RELEASE)


class Step(Protocol):
    chosen: TaskId
    after: int
    """The step that made this one possible, or NOTHING."""
    clock: Clock
    taken: bool
    """Whether it works on a lock that was taken for sure, so that no acquire could have stood in its place."""
    operation: Operation

    @property
    def open(self) -> Sequence[TaskId]:
        """The tasks that could have gone on instead."""
        ...

    @property
    def pending(self) -> Mapping[TaskId, Operation]: ...


class Order:
    """Reads the steps of an execution from first to last; the next one is read from where it differs."""

    def __init__(self, path: Sequence[Step]) -> None:
        self._path = path
        self._by_task: dict[TaskId, list[int]] = {}
        self._users: dict[ObjectId, dict[TaskId, list[int]]] = {}
        self._changes: dict[ObjectId, list[int]] = {}  # the steps that took a lock or gave it back
        self._births: dict[TaskId, int] = {}  # the step after which a task was there for the first time
        self._youngest = -1

    def rewind(self, step: int) -> None:
        """Forget this step and what came after it."""
        _cut(self._by_task, step)
        for users in self._users.values():
            _cut(users, step)
        _cut(self._changes, step)
        self._births = {task: birth for task, birth in self._births.items() if birth + 1 < step}
        first = max(self._path[0].pending, default=-1) if step else -1
        self._youngest = max(self._births, default=first)

    def add(self, step: int) -> None:
        """The step, its clock known, is behind us now."""
        node = self._path[step]
        self._note_births(step)
        task, operation = node.chosen, node.operation
        self._by_task.setdefault(task, []).append(step)
        for effect in operation.effects:
            self._users.setdefault(effect.subject, {}).setdefault(task, []).append(step)
        if operation.kind in _CHANGES:
            self._changes.setdefault(operation.effects[0].subject, []).append(step)

    def _note_births(self, step: int) -> None:
        """Tasks are numbered as they come; whoever made the step before has started those that are new."""
        youngest = max(self._path[step].pending, default=self._youngest)
        if youngest > self._youngest:
            if step:
                self._births.update((TaskId(new), step - 1) for new in range(self._youngest + 1, youngest + 1))
            self._youngest = youngest

    def clock_before(self, task: TaskId, after: int = NOTHING) -> Clock:
        """What the next step of the task comes after, whatever it does."""
        steps = self._by_task.get(task)
        last = steps[-1] if steps else self._births.get(task, NOTHING)
        clock = {} if last == NOTHING else dict(self._path[last].clock)
        if after != NOTHING:
            _join(clock, self._path[after].clock)
        return clock

    def rivals(self, task: TaskId, operation: Operation, clock: Clock) -> list[int]:
        """Steps of other tasks that the operation depends on and that `clock` does not cover, latest first."""
        path = self._path
        found: set[int] = set()
        for effect in operation.effects:
            for other, steps in self._users.get(effect.subject, {}).items():
                if other == task:
                    continue
                seen = clock.get(other, -1)
                for step in reversed(steps):
                    if step <= seen:
                        break
                    if operation.depends_on(path[step].operation):
                        found.add(step)
        return sorted(found, reverse=True)

    def clock_of(self, step: int, clock: Clock, rivals: Sequence[int]) -> Clock:
        """The clock of a step that comes after `clock` and after the rivals."""
        joined = self.joined(clock, rivals)
        joined[self._path[step].chosen] = step
        return joined

    def joined(self, clock: Clock, rivals: Sequence[int]) -> Clock:
        joined = dict(clock)
        for rival in rivals:
            if joined.get(self._path[rival].chosen, -1) < rival:
                _join(joined, self._path[rival].clock)
        return joined

    def meets_taken_lock(self, operation: Operation) -> bool:
        """Whether the operation is about a lock that is taken for sure."""
        if operation.kind not in _CHANGES:
            return False
        changes = self._changes.get(operation.effects[0].subject, ())
        return any(self._path[step].operation.kind is not Kind.RELEASE for step in changes[-1:])

    # -- races -------------------------------------------------------------------------------------

    def races(self, task: TaskId, operation: Operation, clock: Clock, rivals: Sequence[int]) -> Iterator[int]:
        """The rivals that the operation could have gone before."""
        seen = dict(clock)
        for step in rivals:
            node = self._path[step]
            if seen.get(node.chosen, -1) >= step:
                continue
            if not operation.may_overtake(node.operation):
                continue
            if operation.blocks and self._cannot_stand_before(node, task, operation):
                continue
            yield step
            if not operation.blocks or node.operation.kind is operation.kind is Kind.ACQUIRE:
                _join(seen, node.clock)

    @staticmethod
    def _cannot_stand_before(node: Step, task: TaskId, operation: Operation) -> bool:
        if operation.kind is Kind.ACQUIRE:
            return node.taken
        was_pending = node.pending.get(task)
        return was_pending is operation and task not in node.open

    def initials(self, step: int, task: TaskId, whole: Clock) -> list[TaskId]:
        """The tasks with which an execution can begin that takes the operation before the step; best first.

        `whole` is the clock that the operation has or would have: it comes after its rivals.
        """
        racer = self._path[step].chosen
        first: dict[TaskId, tuple[int, Clock]] = {}
        for other, steps in self._by_task.items():
            begin = _first_after(steps, step)
            if begin is not None and self._path[begin].clock.get(racer, -1) < step:
                first[other] = (begin, self._path[begin].clock)
        first.setdefault(task, (len(self._path), whole))
        free = [
            one
            for one, (_, clock) in first.items()
            if not any(clock.get(other, -1) >= begin for other, (begin, _) in first.items() if other != one)
        ]
        free.sort(key=lambda one: one != task and whole.get(one, -1) < first[one][0])
        return free


def _cut(lists: dict[Any, list[int]], step: int) -> None:
    """Take the step and all later ones from the ends of the lists; none of them is left empty."""
    for key, steps in list(lists.items()):
        while steps and steps[-1] >= step:
            steps.pop()
        if not steps:
            del lists[key]


def _first_after(steps: Sequence[int], step: int) -> int | None:
    found: int | None = None
    for candidate in reversed(steps):
        if candidate <= step:
            break
        found = candidate
    return found


def _join(clock: Clock, other: Clock) -> None:
    for task, seen in other.items():
        if clock.get(task, -1) < seen:
            clock[task] = seen
