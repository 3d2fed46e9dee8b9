"""Small programs made of bare operations, run without threads: a strategy can be held against brute force.

A program is one list of steps per task. Values are built so that a final state tells which writes every read
has seen: two executions end alike only if they are alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from racehound.engine.operation import START, WHOLE, Effect, Kind, ObjectId, Operation
from racehound.engine.strategy import Strategy, beginning_of
from racehound.model.schedule import TaskId

Step = tuple[str, int]
"""What to do, and to which location, lock or flag."""
Program = Sequence[Sequence[Step]]
Ending = tuple[object, ...]

CONTAINER = ObjectId(0)
LOCKS = 100
FLAGS = 200
OWN = 300
QUEUES = 400
COUNTS = 500


QUEUEING = ("put", "take", "poll", "done", "join")


@dataclass
class Task:
    id: TaskId
    steps: Sequence[Step]
    at: int = -1
    """-1 until the task has started."""
    seen: tuple[object, ...] = ()
    operation: Operation = START

    @property
    def is_done(self) -> bool:
        return self.at >= len(self.steps)


@dataclass
class Machine:
    program: Program
    cells: dict[int, object] = field(default_factory=dict)
    held: set[int] = field(default_factory=set)
    choices: list[TaskId] = field(default_factory=list)
    put_in: dict[int, tuple[tuple[TaskId, int], ...]] = field(default_factory=dict)
    taken_out: dict[int, int] = field(default_factory=dict)
    finished: dict[int, int] = field(default_factory=dict)
    overdone: set[int] = field(default_factory=set)
    """The queues of which somebody has said that something is done that he had not taken out."""

    def __post_init__(self) -> None:
        self.tasks = [Task(TaskId(number), steps) for number, steps in enumerate(self.program)]

    def run(self, strategy: Strategy) -> Ending | None:
        """The final state, or None where the strategy cut the execution short."""
        current: TaskId | None = None
        for known, _ in beginning_of(strategy):
            current = self.take(known)
        while alive := [task for task in self.tasks if not task.is_done]:
            for task in alive:
                task.operation = task.operation.renewed()
            pending = {task.id: task.operation for task in alive}
            runnable = [task.id for task in alive if task.operation.ready()]
            if not runnable:
                strategy.end_execution(pending)
                return self.ending("deadlock")
            chosen = strategy.choose(runnable, current, pending)
            if chosen is None:
                strategy.end_execution(pending)
                return None
            current = self.take(chosen)
        strategy.end_execution({})
        return self.ending("complete")

    def take(self, chosen: TaskId) -> TaskId | None:
        """The task makes its step; the answer is the task, if it can go on."""
        self.choices.append(chosen)
        self.advance(self.tasks[chosen])
        return None if self.tasks[chosen].is_done else chosen

    def ending(self, how: str) -> Ending:
        locals_ = tuple((tuple(task.steps), task.at, task.seen) for task in self.tasks)
        queues: tuple[object, ...] = (
            tuple(sorted(self.overdone)),
            *(tuple(sorted(each.items())) for each in (self.put_in, self.taken_out, self.finished)),
        )
        return how, tuple(sorted(self.cells.items())), tuple(sorted(self.held)), queues, locals_

    def advance(self, task: Task) -> None:
        if task.at >= 0:
            self.perform(task, *task.steps[task.at])
        task.at += 1
        if not task.is_done:
            task.operation = self.publish(task, *task.steps[task.at])

    def publish(self, task: Task, verb: str, where: int) -> Operation:  # noqa: C901, PLR0911, PLR0912 - one case for each verb
        lock = (Effect(ObjectId(LOCKS + where), WHOLE, writes=True),)
        if verb in QUEUEING:
            return self.publish_queueing(task, verb, where)
        match verb:
            case "read" | "skip":
                return Operation(Kind.READ, (Effect(CONTAINER, where, writes=False),), site=1)
            case "write":
                return Operation(Kind.WRITE, (Effect(CONTAINER, where, writes=True),), site=1)
            case "clear":
                return Operation(Kind.CALL, (Effect(CONTAINER, WHOLE, writes=True),))
            case "list":
                return Operation(Kind.ITERATE, (Effect(CONTAINER, WHOLE, writes=False),))
            case "own":
                return Operation(Kind.WRITE, (Effect(ObjectId(OWN + task.id), WHOLE, writes=True),))
            case "acquire":
                return Operation(Kind.ACQUIRE, lock, ready=lambda: where not in self.held)
            case "try":
                return Operation(Kind.TRY_ACQUIRE, lock)
            case "release":
                return Operation(Kind.RELEASE, lock)
            case "locked":
                return Operation(Kind.CHECK, (Effect(ObjectId(LOCKS + where), WHOLE, writes=False),))
            case "set":
                return Operation(Kind.CALL, (Effect(ObjectId(FLAGS + where), WHOLE, writes=True),))
            case "wait":
                flag = Effect(ObjectId(FLAGS + where), WHOLE, writes=True)
                return Operation(Kind.CALL, (flag,), ready=lambda: self.cells.get(FLAGS + where, 0) != 0)
            case "raise":
                return Operation(Kind.NOTIFY, (Effect(ObjectId(FLAGS + 50 + where), WHOLE, writes=True),))
            case "any":
                flags = tuple(Effect(ObjectId(FLAGS + 50 + each), WHOLE, writes=False) for each in (0, 1))
                operation = Operation(Kind.WAIT, flags, ready=lambda: bool(self.raised()))
                operation.many_ways = True
                return operation
        raise ValueError(verb)

    def raised(self) -> tuple[int, ...]:
        return tuple(each for each in (0, 1) if FLAGS + 50 + each in self.cells)

    def publish_queueing(self, task: Task, verb: str, where: int) -> Operation:
        """As the mirrors of queues do."""
        items, count = ObjectId(QUEUES + where), ObjectId(COUNTS + where)

        def effects() -> tuple[Effect, ...]:
            put, taken = self.queued(where)
            if verb == "put":
                places = (Effect(items, "tail", writes=True), Effect(items, put, writes=True))
                return (*places, Effect(count, "put", writes=True))
            return Effect(items, "head", writes=True), Effect(items, taken, writes=True)

        match verb:
            case "done":
                owner = task.id if self.owes(task, where) else WHOLE

                def ownership() -> tuple[Effect, ...]:
                    return (Effect(count, WHOLE if where in self.overdone else owner, writes=True),)

                return Operation(Kind.NOTIFY, ownership(), refresh=ownership)
            case "join":
                everything = (Effect(count, WHOLE, writes=False),)
                operation = Operation(Kind.WAIT, everything, ready=lambda: self.unfinished(where) == 0)
                operation.many_ways = True
                return operation
        operation = Operation(Kind.TAKE, effects(), refresh=effects)
        if verb == "take":
            operation.ready = lambda: self.queued(where)[0] > self.queued(where)[1]
        return operation

    def owes(self, task: Task, where: int) -> bool:
        return task.seen.count(("took", where)) > task.seen.count(("done", where))

    def queued(self, where: int) -> tuple[int, int]:
        """How many items were put in, and how many taken out."""
        return len(self.put_in.get(where, ())), self.taken_out.get(where, 0)

    def unfinished(self, where: int) -> int:
        return self.queued(where)[0] - self.finished.get(where, 0)

    def perform_queueing(self, task: Task, verb: str, where: int) -> None:
        put, taken = self.queued(where)
        if verb == "done" and not self.owes(task, where):
            self.overdone.add(where)
        match verb:
            case "put":
                self.put_in[where] = (*self.put_in.get(where, ()), (task.id, task.at))
            case "take" | "poll" if put > taken:
                self.taken_out[where] = taken + 1
                task.seen += (("took", where), self.put_in[where][taken])
            case "poll":
                task.seen += ("nothing",)
            case "done" if self.unfinished(where) > 0:
                self.finished[where] = self.finished.get(where, 0) + 1
                task.seen += (("done", where),)
            case "done":
                task.seen += ("too often",)
            case "join":
                task.seen += ("joined",)

    def perform(self, task: Task, verb: str, where: int) -> None:  # noqa: C901, PLR0912 - one case for each verb
        if verb in QUEUEING:
            self.perform_queueing(task, verb, where)
            return
        match verb:
            case "raise":
                self.cells[FLAGS + 50 + where] = True
            case "any":
                task.seen += (self.raised(),)
            case "read":
                task.seen += (self.cells.get(where),)
            case "skip":
                task.seen += (self.cells.get(where),)
                if self.cells.get(where) is not None:
                    task.at += 1
            case "write":
                self.cells[where] = (task.at, task.seen, self.times(where))
            case "clear":
                for cell in [cell for cell in self.cells if cell < LOCKS]:
                    self.cells[cell] = (task.at, task.seen, "clear", self.times(cell))
            case "list":
                task.seen += (tuple(sorted((cell, seen) for cell, seen in self.cells.items() if cell < LOCKS)),)
            case "own":
                task.seen += ("own",)
            case "acquire":
                self.held.add(where)
            case "try":
                task.seen += (where not in self.held,)
                self.held.add(where)
            case "locked":
                task.seen += (where in self.held,)
            case "set":
                self.cells[FLAGS + where] = int(str(self.cells.get(FLAGS + where, 0))) + 1
            case "wait":
                self.cells[FLAGS + where] = int(str(self.cells[FLAGS + where])) - 1
            case "release" if where in self.held:
                self.held.discard(where)
            case "release":
                task.seen += ("not held",)
                task.at = len(task.steps)

    def times(self, where: int) -> object:
        """What was there before, so that the order of writes shows."""
        return hash(self.cells.get(where))


def endings(program: Program, strategy: Strategy) -> tuple[set[Ending], int]:
    """Every final state that the strategy reaches, and in how many executions."""
    seen: set[Ending] = set()
    executions = 0
    while strategy.start_execution():
        executions += 1
        ending = Machine(program).run(strategy)
        if ending is not None:
            seen.add(ending)
    return seen, executions


def every_ending(program: Program) -> set[Ending]:
    """Every final state there is: all states are visited, no strategy is asked."""
    found: set[Ending] = set()
    visited: set[Ending] = set()
    waiting: list[tuple[TaskId, ...]] = [()]
    while waiting:
        choices = waiting.pop()
        machine = Machine(program)
        for choice in choices:
            machine.advance(machine.tasks[choice])
        here = machine.ending("")
        if here in visited:
            continue
        visited.add(here)
        alive = [task for task in machine.tasks if not task.is_done]
        able = [task.id for task in alive if task.operation.ready()]
        if not able:
            found.add(machine.ending("deadlock" if alive else "complete"))
        waiting.extend((*choices, task) for task in able)
    return found


def schedules(program: Program, strategy: Strategy) -> list[tuple[TaskId, ...]]:
    """The choices of each execution."""
    made: list[tuple[TaskId, ...]] = []
    while strategy.start_execution():
        machine = Machine(program)
        machine.run(strategy)
        made.append(tuple(machine.choices))
    return made
