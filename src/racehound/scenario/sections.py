"""Between what a background thread does at a stretch, operations may come in without overlapping anything.

A section of a thread goes from where it takes a lock, takes something from a queue or waits, while it holds no
lock, to the next such place. Operations that begin where all threads of the background are between sections are
serial: nobody is in the middle of anything. How far the background has come by then is nobody's promise.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from racehound.engine.operation import Kind, ObjectId
from racehound.engine.trace import Task, Trace
from racehound.model.schedule import TaskId

MOST = 400
"""Ways to place the operations of one order among sections that are tried."""
BEGINNINGS = frozenset({Kind.START, Kind.ACQUIRE, Kind.WAIT, Kind.TAKE, Kind.JOIN, Kind.YIELD})


class Sections:
    """Those of the tasks beyond the first ones, as far as an execution has come."""

    def __init__(self, trace: Trace, first: int) -> None:
        self._trace = trace
        self._first = first
        self._spans: list[tuple[TaskId, int]] = []  # whose each of them is, and the last step that belongs to it
        self._begun: list[int] = []  # the steps with which they began
        self._latest: dict[TaskId, int] = {}
        self._held: dict[int, set[ObjectId]] = {}
        self._read()

    def _read(self) -> None:
        for step, (task, operation) in enumerate(self._trace.events):
            held = self._held.setdefault(task, set())
            if task >= self._first:
                self._count(step, task, begins=operation.kind in BEGINNINGS and not held)
            if operation.kind is Kind.ACQUIRE:
                held.add(operation.effects[0].subject)
            elif operation.kind is Kind.RELEASE:
                for others in self._held.values():  # anybody may give a lock back
                    others.discard(operation.effects[0].subject)

    def _count(self, step: int, task: TaskId, *, begins: bool) -> None:
        if begins:
            self._latest[task] = len(self._spans)
            self._spans.append((task, step))
            self._begun.append(step)
        elif task in self._latest:
            self._spans[self._latest[task]] = task, step

    def count_amidst(self) -> int:
        """How many had begun when the last of the first tasks took its last step."""
        own = (step for step, (task, _) in enumerate(self._trace.events) if task < self._first)
        last = max(own, default=0)
        return sum(begun < last for begun in self._begun)

    @property
    def count(self) -> int:
        """How many have begun."""
        return len(self._spans)

    def by_beginning(self) -> tuple[TaskId, ...]:
        """Whose they are, in the order in which they began."""
        return tuple(task for task, _ in self._spans)

    def by_end(self) -> tuple[TaskId, ...]:
        """Whose they are, in the order in which they came to their ends."""
        return tuple(task for task, _ in sorted(self._spans, key=lambda span: span[1]))

    def have_come_to(self, count: int) -> bool:
        """Whether so many have begun, and each task is between two of them."""
        return self.count >= count and all(map(self._is_between, self._trace.tasks[self._first :]))

    def _is_between(self, task: Task) -> bool:
        return task.done or (task.pending.kind in BEGINNINGS and not self._held.get(task.id))


def paces(sections: int, slots: int) -> Iterator[tuple[int, ...]]:
    """Every way to place so many operations among so many sections."""
    return combinations_with_replacement(range(sections + 1), slots)
