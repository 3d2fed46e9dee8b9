"""A scenario brought to life: fresh state and bodies for each execution, and the outcome afterwards."""

import asyncio
import inspect
import types
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from racehound.engine.control import CONTROL
from racehound.engine.execution import StrandSlot
from racehound.instrument.observed import OBSERVED
from racehound.model.proof import Outcome, ScenarioText
from racehound.primitives.hosting import Hosted, Job, forget_current_loops
from racehound.scenario.checkpoint import Checkpoint
from racehound.scenario.data import data_of_class, is_data
from racehound.scenario.expressions import callable_of
from racehound.scenario.fold import Fold
from racehound.scenario.hidden_state import code_in, state_of
from racehound.scenario.holding import is_reachable
from racehound.scenario.parts import InParts, note_unawaited, parts_of, run_whole
from racehound.scenario.render import is_lock, render
from racehound.scenario.scratch import Scratch
from racehound.scenario.serial_bodies import GatedJob, HostedInTurns, Turns, alone, fails, refused, thread_body
from racehound.scenario.snapshot import Snapshot, capture, without_addresses

Operation = Callable[[object], object]
Conduct = Callable[[Callable[[], object]], object]


@dataclass(frozen=True, slots=True)
class Observation:
    """An outcome in both forms: to compare and to show."""

    snapshot: Snapshot
    shown: Outcome


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: how to make the subject, and for each task its operations on it."""

    make: Callable[[], object]
    tasks: Sequence[Sequence[Operation]]
    text: ScenarioText

    @property
    def groups(self) -> tuple[int, ...]:
        """A number for each task, the same for tasks that consist of the same operations.

        Where threads and coroutines meet nobody is a twin: what a coroutine uses is known only after its turn.
        """
        if 0 < sum(is_hosted(task) for task in self.tasks) < len(self.tasks):
            return tuple(range(len(self.tasks)))
        kinds: dict[tuple[object, ...], int] = {}
        return tuple(kinds.setdefault(tuple(map(_identity, task)), len(kinds)) for task in self.tasks)

    @property
    def names_of_parts(self) -> list[list[str]]:
        """For each task what its parts are called: the first one as its operation, the others not at all."""
        return [
            [name for text, operation in zip(texts, task, strict=True) for name in _parts(text, operation, task)]
            for texts, task in zip(self.text.tasks, self.tasks, strict=True)
        ]


def _parts(text: str, operation: Operation, task: Sequence[Operation]) -> list[str]:
    """On the event loop every operation is whole."""
    return [text, *[""] * (0 if is_hosted(task) else parts_of(operation) - 1)]


def is_hosted(operations: Sequence[Operation]) -> bool:
    """Whether the operations of a task run on the event loop."""
    return any(inspect.iscoroutinefunction(operation) for operation in operations)


def _identity(operation: Operation) -> tuple[int, ...]:
    """Bound methods are made anew each time they are asked for; what they bind is not."""
    if isinstance(operation, types.MethodType):
        return id(operation.__self__), id(operation.__func__)
    return (id(operation),)


def plan_of(text: ScenarioText, names: Mapping[str, object]) -> Plan:
    """A scenario written as source, evaluated among the names of a module."""
    operation = cache(partial(callable_of, names=names, functions={}))
    setup = operation(text.setup)
    prefix = [operation(call) for call in text.prefix]

    def make() -> object:
        subject = setup(None)
        for call in prefix:
            result = run_whole(call, subject)
            if inspect.iscoroutine(result):
                asyncio.run(result)
        return subject

    return Plan(make, [[operation(call) for call in task] for task in text.tasks], text)


class Program:
    """Prepares executions of one plan and observes what they leave."""

    def __init__(self, plan: Plan) -> None:
        self.text = plan.text
        self._plan = plan
        self._checkpoint = Checkpoint(OBSERVED.all())
        self._scratch = Scratch()
        self.subject: object = None
        self.conduct: Conduct | None = None
        """Runs a set-up under control, and the threads that it starts to their end; None where it starts none."""
        self._results: list[list[object]] = []
        self._turns = Turns(0, 0, rested=True)
        self._refused: frozenset[int] = frozenset()
        self.groups = plan.groups
        self._passed: list[int] = []
        self.fold = Fold(self.groups, [len(names) for names in plan.names_of_parts])

    def fresh(self) -> None:
        """Bring everything back to the beginning and make the subject."""
        self._checkpoint.restore()
        self._scratch.restore()
        forget_current_loops()
        self.subject = self._made()
        self._results = [[] for _ in self._plan.tasks]
        self._passed = [0 for _ in self._plan.tasks]

    def _made(self) -> object:
        if self.conduct is None or CONTROL.execution is not None:
            return self._plan.make()
        made: list[object] = []
        self.conduct(lambda: made.append(self._plan.make()))
        return made[0]

    def restore(self) -> None:
        """Leave modules and classes as they were before the first execution."""
        self._checkpoint.restore()

    def prepare(self) -> Sequence[Callable[[], object]]:
        """One body per task; coroutines share a loop, which is one more."""
        self.fresh()
        bodies = [self._body(task) for task in range(len(self._plan.tasks))]
        jobs = [
            Job(slot, self._coroutine(task)) for task, slot in enumerate(bodies) if isinstance(slot, StrandSlot)
        ]
        return [*bodies, Hosted(jobs, self._holds)] if jobs else bodies

    def _holds(self, task: object) -> bool:
        """Whether anything that outlives the operations refers to a task."""
        return is_reachable(task, self.roots().values())

    def _coroutine(self, task: int) -> Callable[[], Coroutine[Any, Any, object]]:
        async def work() -> None:
            for operation in self._plan.tasks[task]:
                await self._perform_async(task, operation)

        return work

    async def _perform_async(self, task: int, operation: Operation) -> None:
        """Run one operation, whether it is a coroutine or not."""
        try:
            result = run_whole(operation, self.subject)
            result = await result if inspect.isawaitable(result) else result
        except (Exception, asyncio.CancelledError) as error:
            self._note(task, "raised", error, parts=1)
            raise
        self._note(task, "returned", result, parts=1)

    def _body(self, task: int) -> Callable[[], object]:
        if is_hosted(self._plan.tasks[task]):
            return StrandSlot()

        def body() -> None:
            for operation in self._plan.tasks[task]:
                self._perform(task, operation)

        return body

    def _perform(self, task: int, operation: Operation) -> None:
        """Run one operation; what it raises is its result, and ends its task."""
        for part in self._in_parts(task, operation):
            part()

    def _in_parts(self, task: int, operation: Operation) -> list[Callable[[], None]]:
        """The parts of an operation, to be run one after the other; the last one has its result."""
        whole = InParts(operation)
        count = parts_of(operation)
        first = [partial(self._pass_part, task, whole, parts=count - done) for done in range(count - 1)]
        last = partial(whole.finish, self.subject) if first else partial(run_whole, operation, self.subject)
        return [*first, partial(self._finish, task, last)]

    def _pass_part(self, task: int, whole: InParts, *, parts: int) -> None:
        try:
            whole.go_on(self.subject)
        except Exception as error:
            self._note(task, "raised", error, parts=parts)
            raise
        self._passed[task] += 1

    def _finish(self, task: int, last: Callable[[], object]) -> None:
        try:
            result = last()
        except Exception as error:
            self._note(task, "raised", error, parts=1)
            raise
        note_unawaited(result)
        self._note(task, "returned", result, parts=1)

    def _note(self, task: int, ending: str, value: object, *, parts: int) -> None:
        self._results[task].append((ending, value))
        self._passed[task] += parts

    def prepare_serial(
        self, order: Sequence[int], *, rested: bool = True, rests_at_last: bool = False
    ) -> Sequence[Callable[[], object]]:
        """Bodies that run whole operations one after the other; `order` names the task of each."""
        self.fresh()
        tasks = range(len(self._plan.tasks))
        slots = [[turn for turn, owner in enumerate(order) if owner == task] for task in tasks]
        hosted = [task for task in tasks if is_hosted(self._plan.tasks[task])]
        turns = self._turns = Turns(
            len(tasks) + bool(hosted), len(order), rested=rested, rests_at_last=rests_at_last
        )
        bodies = [
            StrandSlot() if task in hosted else thread_body(self._performs(task), slots[task], turns)
            for task in tasks
        ]
        if not hosted:
            return bodies
        jobs = [
            GatedJob(slot, self._async_performs(task))
            for task, slot in enumerate(bodies)
            if isinstance(slot, StrandSlot)
        ]
        hosted_order = [(turn, hosted.index(owner)) for turn, owner in enumerate(order) if owner in hosted]
        return [*bodies, HostedInTurns(jobs, hosted_order, turns)]

    @property
    def was_busy(self) -> bool:
        """Whether an operation of the last serial run left something in the background that could go on."""
        return self._turns.was_busy

    def prepare_refused(self, order: Sequence[int], tasks: Collection[int]) -> Sequence[Callable[[], object]]:
        """As serially, but some of the tasks find every lock taken that they only try for."""
        self._refused = frozenset(tasks)
        try:
            return self.prepare_serial(order)
        finally:
            self._refused = frozenset()

    def prepare_alone(self, order: Sequence[int]) -> Sequence[Callable[[], object]]:
        """A single body that runs all operations in this order, as a program without threads would."""
        self.fresh()
        performs = [iter(self._performs(task)) for task in range(len(self._plan.tasks))]
        return [alone([partial(fails, next(performs[task])) for task in order])]

    def _performs(self, task: int) -> list[Callable[[], object]]:
        parts = [part for operation in self._plan.tasks[task] for part in self._in_parts(task, operation)]
        return [refused(part) for part in parts] if task in self._refused else [*parts]

    def _async_performs(self, task: int) -> list[Callable[[], Coroutine[Any, Any, object]]]:
        return [partial(self._perform_async, task, operation) for operation in self._plan.tasks[task]]

    @property
    def is_threaded(self) -> bool:
        """Whether every task has a thread of its own."""
        return not any(map(is_hosted, self._plan.tasks))

    def serial_orders(self) -> Iterator[tuple[int, ...]]:
        """Every way to run whole operations one after the other that keeps the order within each task."""
        return self.fold.orders()

    def is_whole(self, order: Sequence[int]) -> bool:
        """Whether nothing comes between the parts of any operation."""
        left = self._plan.names_of_parts
        names = [left[task].pop(0) for task in order]
        return all(name or order[place - 1] == order[place] for place, name in enumerate(names))

    def finished(self) -> list[int]:
        """How many operations of each task have come to their end, or parts where they have such."""
        return list(self._passed)

    def observe(self, order: Sequence[int] = ()) -> Observation:
        """The outcome of the execution that has just ended, in both forms."""
        shown = Outcome(
            results=tuple(_show_result(result) for task in self._results for result in task),
            state=self._show_state(),
            order=self._names_of(order),
        )
        return Observation(self.snapshot(), shown)

    def snapshot(self) -> Snapshot:
        """The outcome in the form that is compared."""
        return capture(self.roots())

    def roots(self) -> dict[str, object]:
        """Where everything begins that outlives the operations."""
        results = self.fold.sorted_results(self._results, self._appearance)
        roots: dict[str, object] = {"state": self.subject, "results": results}
        for module in OBSERVED.all():
            roots.update(module_roots(module))
        return roots | {f"file {name}": content for name, content in self._scratch.files().items()}

    def _appearance(self, results: list[object]) -> str:
        return repr(sorted(capture({"state": self.subject, "results": results}).items()))

    def _names_of(self, order: Sequence[int]) -> tuple[str, ...]:
        left = self._plan.names_of_parts
        return tuple(filter(None, (left[task].pop(0) for task in order)))

    def _show_state(self) -> str:
        if self.subject is not None:
            return render(self.subject)
        held = [
            (name.removeprefix(f"{module.__name__}."), value)
            for module in OBSERVED.all()
            for name, value in module_roots(module).items()
        ]
        shown = [item for item in held if not is_lock(item[1]) and not _is_of_special_method(item[0])]
        return ", ".join(f"{name}={render(value)}" for name, value in shown)


def _is_of_special_method(name: str) -> bool:
    """True for what generated methods carry, such as those of dataclasses: compared, but nothing to read."""
    return " of " in name and name.endswith("__")


def module_roots(module: types.ModuleType) -> dict[str, object]:
    roots = {f"{module.__name__}.{name}": value for name, value in vars(module).items() if is_data(name, value)}
    own = (kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__)
    code = code_in(module)
    for kind in [*own, *code.inner_classes]:
        roots.update({f"{kind.__qualname__}.{name}": value for name, value in data_of_class(kind).items()})
    for function in code.functions:
        roots.update(state_of(function))
    return roots


def _show_result(result: object) -> str:
    match result:
        case ("raised", BaseException() as error):
            said = without_addresses(str(error))
            return f"raised {type(error).__name__}: {said}" if said else f"raised {type(error).__name__}"
        case (_, value):
            return render(value)
    return render(result)
