"""Who happened before whom in one execution, and which pairs could have gone the other way round.

Steps are ordered by their task, by dependence, and where one made the other possible. A *race* is a step and a
later dependent one of another task with nothing ordered in between: they could have met. To see the other
order, the search must begin, at the state before the earlier step, with some task whose next step belongs to
what does not need the earlier one (an *initial* of that sequence, in the words of Abdulla, Aronis, Jonsson and
Sagonas, Optimal Dynamic Partial Order Reduction, POPL 2014, whose source sets these are).

Locks need a word. The step that an acquire directly depends on is the release before it, and these two are never
a choice; the race is with the acquire that the release belongs to. An operation that was blocked where it
would have to go first is not planned for there; it may still race with something earlier, so the look back
goes on. The turn of a coroutine is another matter, and so is a wait that steps of several tasks may end: what it
waits for need not be what it races with, and others may bring that about first.
"""

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from racehound.engine.operation import WHOLE, Kind, ObjectId, Operation
from racehound.model.schedule import TaskId
from racehound.strategies.symmetry import NOTHING

Clock = dict[TaskId, int]
"""For each task its last step that came before."""

Steps = list[int]
"""Numbers of steps, in their order."""

_ACQUIRE: Final = Kind.ACQUIRE
_RELEASE: Final = Kind.RELEASE
_CHANGES: Final = frozenset({_ACQUIRE, Kind.TRY_ACQUIRE, _RELEASE})


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
        self._by_task: dict[TaskId, Steps] = {}
        self._uses: dict[ObjectId, dict[Hashable, tuple[Steps, Steps]]] = {}
        """Of each part of each object, the steps that read it and those that wrote it."""
        self._changes: dict[ObjectId, Steps] = {}  # the steps that took a lock or gave it back
        self._lists: list[list[Steps]] = []  # those in which each step stands
        self._births: dict[TaskId, int] = {}  # the step after which a task was there for the first time
        self._youngest = -1

    def rewind(self, step: int) -> None:
        """Forget this step and what came after it."""
        for lists in reversed(self._lists[step:]):
            for steps in lists:
                steps.pop()
        del self._lists[step:]
        self._by_task = {task: steps for task, steps in self._by_task.items() if steps}
        self._births = {task: birth for task, birth in self._births.items() if birth + 1 < step}
        first = max(self._path[0].pending, default=-1) if step else -1
        self._youngest = max(self._births, default=first)

    def add(self, step: int) -> None:
        """The step, its clock known, is behind us now."""
        node = self._path[step]
        self._note_births(step)
        operation = node.operation
        lists = [self._by_task.setdefault(node.chosen, [])]
        for subject, part, writes in operation.effects:
            lists.append(self._uses.setdefault(subject, {}).setdefault(part, ([], []))[writes])
        if operation.kind in _CHANGES:
            lists.append(self._changes.setdefault(operation.effects[0].subject, []))
        for steps in lists:
            steps.append(step)
        self._lists.append(lists)

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
        clock = {} if last == NOTHING else self._path[last].clock.copy()
        if after != NOTHING:
            _join(clock, self._path[after].clock)
        return clock

    def rivals(self, operation: Operation, clock: Clock) -> Sequence[int]:
        """Steps that the operation depends on and that `clock` does not cover, latest first."""
        found: set[int] = set()
        for subject, part, writes in operation.effects:
            parts = self._uses.get(subject, {})
            for other in parts if part is WHOLE else (part, WHOLE):
                if other in parts:
                    self._uncovered(parts[other], clock, found, after_reads=writes)
        return sorted(found, reverse=True) if found else ()

    def _uncovered(self, uses: tuple[Steps, Steps], clock: Clock, found: set[int], *, after_reads: bool) -> None:
        """What comes before a write comes before whoever comes after that write, so the look back ends there."""
        path = self._path
        reads, writes = uses
        covered = NOTHING
        for step in reversed(writes):
            if clock.get(path[step].chosen, -1) >= step:
                covered = step
                break
            found.add(step)
        for step in reversed(reads if after_reads else ()):
            if step <= covered:
                break
            if clock.get(path[step].chosen, -1) < step:
                found.add(step)

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
        changes = self._changes.get(operation.effects[0].subject, [])
        return bool(changes) and self._path[changes[-1]].operation.kind is not _RELEASE

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
            is_settled = operation.blocks and not (operation.late or operation.many_ways)
            if is_settled and self._cannot_stand_before(step, task, operation):
                continue
            yield step
            if not operation.blocks or node.operation.kind is operation.kind is _ACQUIRE:
                _join(seen, node.clock)

    def _cannot_stand_before(self, step: int, task: TaskId, operation: Operation) -> bool:
        node = self._path[step]
        if operation.kind is _ACQUIRE:
            return node.taken
        steps = self._by_task.get(task)
        was_pending = task in node.pending and (not steps or steps[-1] < step)
        return was_pending and task not in node.open

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


def _first_after(steps: Steps, step: int) -> int | None:
    index = bisect_right(steps, step)
    return steps[index] if index < len(steps) else None


def _join(clock: Clock, other: Clock) -> None:
    for task, seen in other.items():
        if clock.get(task, -1) < seen:
            clock[task] = seen
