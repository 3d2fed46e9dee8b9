"""Dynamic partial-order reduction: one execution for each order of dependent operations.

Two executions that differ only in the order of independent operations end alike, so one of them is enough.
After each execution the search looks for pairs of dependent operations of different tasks that nothing
orders, and plans an execution that takes them the other way round. When no plan is left, every outcome has
been seen: that, and only that, is a proof of absence.

The planning follows Flanagan and Godefroid (POPL 2005) with sleep sets (Godefroid 1996). Where the paper
plans for the last racing operation only, this plans for the last one *of each other task*: never fewer
plans, so never a missed one. There is no bound on switches; a bound would make the reduction unsound.
"""

from collections.abc import Mapping, Sequence

from racehound.engine.operation import ObjectId, Operation
from racehound.errors import ReplayDrift
from racehound.model.schedule import TaskId

Clock = dict[TaskId, int]


class _Node:
    """One step of the current execution and what is left to try there."""

    __slots__ = ("chosen", "clock", "operation", "pending", "plans", "runnable", "sleep", "tried")

    def __init__(
        self,
        runnable: Sequence[TaskId],
        pending: Mapping[TaskId, Operation],
        sleep: dict[TaskId, Operation],
        chosen: TaskId,
    ) -> None:
        self.runnable = runnable
        self.pending = pending
        self.sleep = sleep
        self.chosen = chosen
        self.operation = pending[chosen]
        self.tried = {chosen}
        self.plans = {chosen}
        self.clock: Clock = {}

    def choose(self, task: TaskId) -> None:
        self.chosen = task
        self.operation = self.pending[task]
        self.tried.add(task)

    def sleep_below(self) -> dict[TaskId, Operation]:
        """Tasks whose next operation has been tried before the chosen one and does not depend on it."""
        if len(self.tried) == 1 and not self.sleep:
            return {}
        asleep = self.sleep | {task: self.pending[task] for task in self.tried}
        asleep.pop(self.chosen, None)
        executed = self.operation
        return {task: op for task, op in asleep.items() if not op.depends_on(executed)}

    def next_plan(self) -> TaskId | None:
        if len(self.plans) == len(self.tried) and not self.sleep:
            return None  # every plan is tried, since what is tried was planned
        return min(
            (task for task in self.plans if task not in self.tried and task not in self.sleep), default=None
        )


class Dpor:
    """Unbounded DPOR with sleep sets; `exhausted` once nothing is left to plan."""

    def __init__(self) -> None:
        self._path: list[_Node] = []
        self._depth = 0
        self._known = 0  # steps whose races have been analysed already
        self.exhausted = False

    def start_execution(self) -> bool:
        self._depth = 0
        return not self.exhausted

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId | None:
        depth = self._depth
        self._depth += 1
        if depth < len(self._path):
            return self._repeat(self._path[depth], runnable, pending)
        sleep = self._path[-1].sleep_below() if self._path else {}
        awake = [task for task in runnable if task not in sleep] if sleep else runnable
        if not awake:
            return None
        chosen = current if current is not None and current in awake else awake[0]
        self._path.append(_Node(runnable, pending, sleep, chosen))
        return chosen

    def _repeat(self, node: _Node, runnable: Sequence[TaskId], pending: Mapping[TaskId, Operation]) -> TaskId:
        operation = pending.get(node.chosen)
        if operation is None or node.runnable != runnable or not operation.is_like(node.operation):
            raise ReplayDrift(
                f"step {self._depth - 1} differs although all choices before it were the same",
                hint="make the code independent of time, random numbers and object addresses",
            )
        node.pending = self._with_late(node, pending)
        node.operation = operation
        return node.chosen

    def _with_late(self, node: _Node, pending: Mapping[TaskId, Operation]) -> Mapping[TaskId, Operation]:
        """A late operation that has not run yet says nothing; what it did when it was tried here still holds."""
        if len(node.tried) == 1:
            return pending
        tried = {task: node.pending[task] for task in node.tried if task != node.chosen}
        late = {task: operation for task, operation in tried.items() if operation.late}
        return {**pending, **late} if late else pending

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        self._plan_reversals(pending)
        while self._path:
            node = self._path[-1]
            plan = node.next_plan()
            if plan is not None:
                node.choose(plan)
                self._known = len(self._path) - 1
                return
            self._path.pop()
        self.exhausted = True

    # -- races -------------------------------------------------------------------------------------

    def _plan_reversals(self, pending: Mapping[TaskId, Operation]) -> None:
        by_subject: dict[ObjectId, list[int]] = {}
        clocks: dict[TaskId, Clock] = {}
        for step, node in enumerate(self._path):
            task, operation = node.chosen, node.operation
            if step >= self._known:
                clock = clocks.get(task, {})
                rivals = self._dependent_steps(operation, task, by_subject)
                if rivals:
                    self._plan_before(operation, task, clock, rivals)
                    clock = self._joined(clock, rivals)
                node.clock = {**clock, task: step}
            clocks[task] = node.clock
            for effect in operation.effects:
                by_subject.setdefault(effect.subject, []).append(step)
        for task, operation in pending.items():
            rivals = self._dependent_steps(operation, task, by_subject)
            self._plan_before(operation, task, clocks.get(task, {}), rivals)

    def _dependent_steps(
        self, operation: Operation, task: TaskId, by_subject: dict[ObjectId, list[int]]
    ) -> list[int]:
        """Earlier steps of other tasks that the operation depends on, latest first."""
        effects = operation.effects
        if not effects:
            return []
        steps = by_subject.get(effects[0].subject, ())
        if len(effects) > 1:
            steps = sorted({step for effect in effects for step in by_subject.get(effect.subject, ())})
        path = self._path
        return [
            step
            for step in reversed(steps)
            if path[step].chosen != task and operation.depends_on(path[step].operation)
        ]

    def _plan_before(self, operation: Operation, task: TaskId, clock: Clock, rivals: list[int]) -> None:
        """Plan to run `task` before the latest unordered rival of each other task."""
        settled: set[TaskId] = set()
        for step in rivals:
            node = self._path[step]
            if node.chosen in settled or not operation.may_overtake(node.operation):
                continue
            if clock.get(node.chosen, -1) >= step:
                settled.add(node.chosen)
                continue
            if node.pending.get(task) is operation and task not in node.runnable:
                node.plans.update(node.runnable)  # it was blocked there: an earlier rival is what it waits for
                continue
            settled.add(node.chosen)
            self._plan_at(node, step, task, clock)

    def _plan_at(self, node: _Node, step: int, task: TaskId, clock: Clock) -> None:
        if task in node.runnable:
            node.plans.add(task)
            return
        helpers = [other for other in node.runnable if clock.get(other, -1) > step]
        node.plans.update(helpers[:1] or node.runnable)

    def _joined(self, clock: Clock, rivals: list[int]) -> Clock:
        joined = dict(clock)
        for step in rivals:
            node = self._path[step]
            if joined.get(node.chosen, -1) >= step:
                continue
            for task, seen in node.clock.items():
                if joined.get(task, -1) < seen:
                    joined[task] = seen
        return joined
