"""A scenario brought to life: fresh state and bodies for each execution, and the outcome afterwards."""

import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from racehound.instrument.kinds import INSTRUMENTED
from racehound.model.proof import Outcome, ScenarioText
from racehound.scenario.checkpoint import Checkpoint
from racehound.scenario.hidden_state import functions_in, state_of
from racehound.scenario.render import render
from racehound.scenario.snapshot import Snapshot, capture, is_data

SUBJECT = "subject"

Operation = Callable[[object], object]


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


def plan_of(text: ScenarioText, names: Mapping[str, object]) -> Plan:
    """A scenario written as source, evaluated among the names of a module."""
    setup = compile(text.setup, "<setup>", "eval")
    prefix = [compile(call, "<prefix>", "eval") for call in text.prefix]

    def evaluate(code: types.CodeType, subject: object = None) -> object:
        # Running the code under proof is the purpose; it happens in a child process.
        return eval(code, dict(names) | {SUBJECT: subject})  # noqa: S307 - running the code under proof is the purpose, in a child process

    def make() -> object:
        subject = evaluate(setup)
        for code in prefix:
            evaluate(code, subject)
        return subject

    def operation(call: str) -> Operation:
        code = compile(call, "<operation>", "eval")
        return lambda subject: evaluate(code, subject)

    return Plan(make, [[operation(call) for call in task] for task in text.tasks], text)


def condition_of(text: str, names: Mapping[str, object]) -> Operation:
    """A condition on the subject, evaluated among the names of a module."""
    code = compile(text, "<invariant>", "eval")
    return lambda subject: eval(code, dict(names) | {SUBJECT: subject})  # noqa: S307 - as in `plan_of`


def instrumented_modules() -> list[types.ModuleType]:
    """Every loaded module whose code is under observation."""
    return [module for module in list(sys.modules.values()) if INSTRUMENTED in getattr(module, "__dict__", ())]


class Program:
    """Prepares executions of one plan and observes what they leave."""

    def __init__(self, plan: Plan) -> None:
        self.text = plan.text
        self._plan = plan
        self._checkpoint = Checkpoint(instrumented_modules())
        self.subject: object = None
        self._results: list[list[object]] = []

    def _fresh(self) -> None:
        self._checkpoint.restore()
        self.subject = self._plan.make()
        self._results = [[] for _ in self._plan.tasks]

    def restore(self) -> None:
        """Leave modules and classes as they were before the first execution."""
        self._checkpoint.restore()

    def prepare(self) -> Sequence[Callable[[], object]]:
        """One body per task."""
        self._fresh()
        return [self._body(task) for task in range(len(self._plan.tasks))]

    def _body(self, task: int) -> Callable[[], object]:
        def body() -> None:
            for operation in self._plan.tasks[task]:
                self._perform(task, operation)

        return body

    def _perform(self, task: int, operation: Operation) -> None:
        """Run one operation; what it raises is its result, and ends its task."""
        results = self._results[task]
        try:
            results.append(("returned", operation(self.subject)))
        except Exception as error:
            results.append(("raised", error))
            raise

    def prepare_serial(self, order: Sequence[int]) -> Sequence[Callable[[], object]]:
        """A single body that runs the operations one after the other; `order` names the task of each."""
        self._fresh()
        return [lambda: self._run_serially(order)]

    def _run_serially(self, order: Sequence[int]) -> None:
        left = [list(operations) for operations in self._plan.tasks]
        failed: set[int] = set()
        for task in order:
            operation = left[task].pop(0)
            if task in failed:
                continue
            try:
                self._perform(task, operation)
            except Exception:  # noqa: BLE001 - whatever the code under proof raises is its result
                failed.add(task)

    def serial_orders(self) -> Iterator[tuple[int, ...]]:
        """Every way to run whole operations one after the other that keeps the order within each task."""
        slots = [task for task, operations in enumerate(self._plan.tasks) for _ in operations]
        yield from sorted(set(permutations(slots)))

    def finished(self) -> list[int]:
        """How many operations of each task have come to their end."""
        return [len(results) for results in self._results]

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
        roots: dict[str, object] = {"state": self.subject, "results": self._results}
        for module in instrumented_modules():
            roots.update(_module_roots(module))
        return capture(roots)

    def _names_of(self, order: Sequence[int]) -> tuple[str, ...]:
        left = [list(task) for task in self.text.tasks]
        return tuple(left[task].pop(0) for task in order)

    def _show_state(self) -> str:
        if self.subject is not None:
            return render(self.subject)
        held = [item for module in instrumented_modules() for item in _module_roots(module).items()]
        return ", ".join(f"{name.rpartition('.')[2]}={render(value)}" for name, value in held)


def _module_roots(module: types.ModuleType) -> dict[str, object]:
    roots = {f"{module.__name__}.{name}": value for name, value in vars(module).items() if is_data(name, value)}
    for kind in list(vars(module).values()):
        if isinstance(kind, type) and kind.__module__ == module.__name__:
            data = {
                f"{kind.__qualname__}.{name}": value for name, value in vars(kind).items() if is_data(name, value)
            }
            roots.update(data)
    for function in functions_in(module):
        roots.update(state_of(function))
    return roots


def _show_result(result: object) -> str:
    match result:
        case ("raised", BaseException() as error):
            return f"raised {type(error).__name__}: {error}" if str(error) else f"raised {type(error).__name__}"
        case (_, value):
            return render(value)
    return render(result)
