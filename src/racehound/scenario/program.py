"""A scenario brought to life: fresh state and bodies for each execution, and the outcome afterwards."""

import sys
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from racehound.engine.execution import Trace
from racehound.instrument.kinds import INSTRUMENTED
from racehound.model.proof import Outcome, ScenarioText
from racehound.scenario.checkpoint import Checkpoint
from racehound.scenario.render import render
from racehound.scenario.snapshot import Snapshot, capture, is_data

SUBJECT = "subject"


@dataclass(frozen=True, slots=True)
class Observation:
    """An outcome in both forms: to compare and to show."""

    snapshot: Snapshot
    shown: Outcome


def instrumented_modules() -> list[types.ModuleType]:
    """Every loaded module whose code is under observation."""
    return [module for module in list(sys.modules.values()) if INSTRUMENTED in getattr(module, "__dict__", ())]


class Program:
    """Prepares executions of one scenario and observes what they leave."""

    def __init__(self, scenario: ScenarioText, module: types.ModuleType) -> None:
        self.scenario = scenario
        self._module = module
        self._checkpoint = Checkpoint(instrumented_modules())
        self._setup = compile(scenario.setup, "<setup>", "eval")
        self._prefix = [compile(text, "<prefix>", "eval") for text in scenario.prefix]
        self._tasks = [[compile(text, "<operation>", "eval") for text in task] for task in scenario.tasks]
        self._names: dict[str, object] = {}
        self._results: list[list[object]] = []

    def _fresh(self) -> None:
        self._checkpoint.restore()
        self._names = dict(vars(self._module))
        self._names[SUBJECT] = self._evaluate(self._setup)
        for code in self._prefix:
            self._evaluate(code)
        self._results = [[] for _ in self._tasks]

    def _evaluate(self, code: types.CodeType) -> object:
        return eval(code, self._names)  # noqa: S307 - running the code under proof is the purpose, in a child process

    def prepare(self) -> Sequence[Callable[[], object]]:
        """One body per task."""
        self._fresh()
        return [self._body(task) for task in range(len(self._tasks))]

    def _body(self, task: int) -> Callable[[], object]:
        def body() -> None:
            for code in self._tasks[task]:
                self._perform(task, code)

        return body

    def _perform(self, task: int, code: types.CodeType) -> None:
        """Run one operation; what it raises is its result, and ends its task."""
        results = self._results[task]
        try:
            results.append(("returned", self._evaluate(code)))
        except Exception as error:
            results.append(("raised", error))
            raise

    def prepare_serial(self, order: Sequence[int]) -> Sequence[Callable[[], object]]:
        """A single body that runs the operations one after the other; `order` names the task of each."""
        self._fresh()
        return [lambda: self._run_serially(order)]

    def _run_serially(self, order: Sequence[int]) -> None:
        positions = [0] * len(self._tasks)
        failed: set[int] = set()
        for task in order:
            code = self._tasks[task][positions[task]]
            positions[task] += 1
            if task in failed:
                continue
            try:
                self._perform(task, code)
            except Exception:  # noqa: BLE001 - already recorded as the operation's result
                failed.add(task)

    def serial_orders(self) -> Iterator[tuple[int, ...]]:
        """Every way to run whole operations one after the other that keeps the order within each task."""
        slots = [task for task, operations in enumerate(self._tasks) for _ in operations]
        yield from sorted(set(permutations(slots)))

    def observe(self, trace: Trace, order: Sequence[int] = ()) -> Observation:
        """The outcome of the execution that has just ended."""
        subject = self._names[SUBJECT]
        results = [result for task in self._results for result in task]
        roots: dict[str, object] = {"state": subject, "results": results}
        for module in instrumented_modules():
            roots.update(_module_roots(module))
        shown = Outcome(
            results=tuple(_show_result(result) for result in results),
            state=self._show_state(),
            order=tuple(self.scenario.tasks[task][0] for task in order),
        )
        del trace
        return Observation(capture(roots), shown)

    def _show_state(self) -> str:
        subject = self._names[SUBJECT]
        if subject is None:
            named = [
                f"{name}={render(value)}" for name, value in vars(self._module).items() if is_data(name, value)
            ]
            return ", ".join(named)
        return render(subject)


def _module_roots(module: types.ModuleType) -> dict[str, object]:
    roots = {f"{module.__name__}.{name}": value for name, value in vars(module).items() if is_data(name, value)}
    for kind in vars(module).values():
        if isinstance(kind, type) and kind.__module__ == module.__name__:
            roots.update(
                {
                    f"{kind.__qualname__}.{name}": value
                    for name, value in vars(kind).items()
                    if is_data(name, value)
                }
            )
    return roots


def _show_result(result: object) -> str:
    match result:
        case ("raised", BaseException() as error):
            return f"raised {type(error).__name__}: {error}" if str(error) else f"raised {type(error).__name__}"
        case (_, value):
            return render(value)
    return render(result)
