"""Dynamic partial-order reduction: one execution for each order of dependent operations.

Two executions that differ only in the order of independent operations end alike, so one of them is enough.
After each execution the search looks for races in it (see `races`) and plans, for each, an execution that
takes the two steps the other way round. What was tried at a state sleeps in the states behind its siblings
until something happens that depends on it, so that no order is tried twice. When no plan is left, every
outcome has been seen: that, and only that, is a proof of absence.

Source sets and sleep sets follow Abdulla, Aronis, Jonsson and Sagonas (POPL 2014). Planning simply for the racing
task, as Flanagan and Godefroid (POPL 2005) do, is not enough here: that task may sleep where it is
planned for, while another one would have to begin. There is no bound on switches; a bound would make the
reduction unsound.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from racehound.engine.determinism import drift_at
from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId
from racehound.strategies.races import Clock, Order
from racehound.strategies.symmetry import NOTHING, Twins

if TYPE_CHECKING:
    from racehound.engine.strategy import Beginning


class _Node:
    """One step of the current execution and what is left to try there."""

    __slots__ = (
        "after",
        "chosen",
        "clock",
        "open",
        "operation",
        "pending",
        "plans",
        "runnable",
        "sleep",
        "taken",
        "tried",
    )

    def __init__(
        self,
        runnable: Sequence[TaskId],
        free: Sequence[TaskId],
        pending: Mapping[TaskId, Operation],
        sleep: dict[TaskId, Operation],
        chosen: TaskId,
    ) -> None:
        self.runnable = runnable
        self.open = free
        """The runnable tasks that need not let a twin go first."""
        self.pending = pending
        self.sleep = sleep
        self.chosen = chosen
        self.operation = pending[chosen]
        self.tried = {chosen}
        self.plans = {chosen}
        self.after = NOTHING
        self.clock: Clock = {}
        self.taken = False

    def take(self, task: TaskId) -> None:
        """Go on with the task from now on."""
        self.chosen = task
        self.tried.add(task)
        self.operation = self.pending[task]

    def sleep_below(self) -> dict[TaskId, Operation]:
        """Tasks whose next operation has been tried before the chosen one and does not depend on it."""
        if len(self.tried) == 1 and not self.sleep:
            return {}
        asleep = self.sleep | {task: self.pending[task] for task in self.tried}
        asleep.pop(self.chosen, None)
        executed = self.operation
        return {task: op for task, op in asleep.items() if not op.depends_on(executed)}

    def next_plan(self) -> TaskId | None:
        if len(self.plans) == len(self.tried):
            return None
        return min(
            (task for task in self.plans if task not in self.tried and task not in self.sleep), default=None
        )

    @property
    def is_full(self) -> bool:
        """Whether all that could be tried here is planned."""
        return len(self.plans) >= len(self.open)

    def plan(self, initials: Sequence[TaskId]) -> None:
        """See to it that one of the tasks is tried here, or any other where none of them can run."""
        if any(task in self.plans or task in self.sleep for task in initials):
            return
        able = [task for task in initials if task in self.open]
        self.plans.update(able[:1] or self.open)


class Dpor:
    """Unbounded DPOR; `exhausted` once nothing is left to plan.

    `groups` gives each task the number of its kind: tasks with equal numbers are identical.
    """

    bound = None

    def __init__(self, groups: Sequence[int] = ()) -> None:
        self._groups = tuple(groups)
        self._has_twins = len(set(groups)) < len(groups)
        self._twins = Twins(self._groups)
        self._path: list[_Node] = []
        self._order = Order(self._path)
        self._depth = 0
        self._known = 0  # steps whose races have been analysed already
        self._asleep: frozenset[TaskId] = frozenset()  # the tasks that could have gone on where it was cut
        self.beginning: Beginning = ()
        self.exhausted = False

    def start_execution(self) -> bool:
        self._asleep = frozenset()
        self._twins = Twins(self._groups)
        # The last step of the path is another one than before, and a late one has to say anew what it does.
        known = takewhile(lambda node: not node.operation.late, self._path[:-1])
        self.beginning = [(node.chosen, node.operation) for node in known]
        self._depth = len(self.beginning)
        if self._has_twins:
            for task, operation in self.beginning:
                self._twins.record(task, operation)
        return not self.exhausted

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId | None:
        depth = self._depth
        self._depth += 1
        if depth < len(self._path):
            node = self._path[depth]
            self._check_same(node, runnable, pending)
            node.pending = _with_late(node, pending)
            node.operation = pending[node.chosen]
        else:
            extended = self._extend(runnable, current, pending)
            if extended is None:
                self._asleep = frozenset(runnable)
                return None
            node = extended
        if self._has_twins:
            node.after = self._twins.record(node.chosen, node.operation)
        return node.chosen

    def _extend(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> _Node | None:
        free = runnable
        if self._has_twins:
            free = [task for task in runnable if not self._twins.waits(task, pending)] or runnable
        sleep = self._path[-1].sleep_below() if self._path else {}
        awake = [task for task in free if task not in sleep] if sleep else free
        if not awake:
            return None
        chosen = current if current is not None and current in awake else awake[0]
        node = _Node(runnable, free, pending, sleep, chosen)
        self._path.append(node)
        return node

    def _check_same(self, node: _Node, runnable: Sequence[TaskId], pending: Mapping[TaskId, Operation]) -> None:
        operation = pending.get(node.chosen)
        if operation is None or node.runnable != runnable or not operation.is_like(node.operation):
            raise drift_at(self._depth - 1)

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        # Other executions stand for what a sleeping task would have done; nothing yet stands for a blocked one.
        self._plan_reversals({task: left for task, left in pending.items() if task not in self._asleep})
        while self._path:
            node = self._path[-1]
            plan = node.next_plan()
            if plan is not None:
                node.take(plan)
                self._known = len(self._path) - 1
                return
            self._path.pop()
        self.exhausted = True

    def _plan_reversals(self, pending: Mapping[TaskId, Operation]) -> None:
        order = self._order
        order.rewind(self._known)
        for step in range(self._known, len(self._path)):
            node = self._path[step]
            clock = order.clock_before(node.chosen, node.after)
            rivals = order.rivals(node.operation, clock)
            whole = order.joined(clock, rivals) if rivals else clock
            whole[node.chosen] = step
            if rivals:
                self._plan(order, node.chosen, node.operation, (clock, whole, rivals))
            node.clock = whole
            node.taken = order.meets_taken_lock(node.operation)
            order.add(step)
        for task, operation in pending.items():
            if self._has_twins and self._twins.waits(task, pending):
                continue
            clock = order.clock_before(task)
            rivals = order.rivals(operation, clock)
            if rivals:
                self._plan(order, task, operation, (clock, order.joined(clock, rivals), rivals))

    def _plan(
        self, order: Order, task: TaskId, operation: Operation, past: tuple[Clock, Clock, Sequence[int]]
    ) -> None:
        clock, whole, rivals = past
        for step in order.races(task, operation, clock, rivals):
            node = self._path[step]
            if not node.is_full:
                node.plan(order.initials(step, task, whole))


def _with_late(node: _Node, pending: Mapping[TaskId, Operation]) -> Mapping[TaskId, Operation]:
    """A late operation that has not run yet says nothing; what it did when it was tried here still holds."""
    if len(node.tried) == 1:
        return pending
    others = [(task, node.pending[task]) for task in node.tried if task != node.chosen]
    late = {task: operation for task, operation in others if operation.late}
    return {**pending, **late} if late else pending
