"""Serial outcomes: what the operations can do when they run one after the other.

An outcome that no serial order gives is a violation. Nobody has to write an invariant for that: the code
itself, run without overlap, says what is right.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from racehound.engine.execution import Ending
from racehound.engine.explorer import Explorer
from racehound.errors import HarnessError
from racehound.scenario.program import Observation, Program
from racehound.scenario.snapshot import CUT, Snapshot, differing_paths, without
from racehound.strategies.guided import Guided


class SetupFailed(HarnessError):
    """The subject could not be made or brought into its first state."""


@dataclass(frozen=True, slots=True)
class SerialOutcomes:
    observations: tuple[Observation, ...]
    masked: frozenset[str]
    waits: frozenset[tuple[tuple[int, ...], int]]
    """Which task's next operation waits for ever, after which operations of which tasks, one after the other."""

    def allows(self, snapshot: Snapshot) -> bool:
        """Whether some serial order gives this outcome."""
        compared = without(snapshot, self.masked)
        return any(without(item.snapshot, self.masked) == compared for item in self.observations)

    def allows_waiting(self, done: Sequence[int], blocked: Iterable[int]) -> bool:
        """Whether these tasks would wait for ever in serial orders too.

        `done` counts the operations that each task has finished. There must be one order of those after which
        the next operation of *every* blocked task waits: a task that could go on has missed its wake-up.
        """
        finished = Counter({task: count for task, count in enumerate(done) if count})
        histories = {history for history, _ in self.waits if Counter(history) == finished}
        waiting = list(blocked)
        return any(all((history, task) in self.waits for task in waiting) for history in histories)

    @property
    def is_cut(self) -> bool:
        """Whether part of the state was not looked at."""
        return any(CUT in item.snapshot for item in self.observations)

    @property
    def why_not(self) -> str:
        """Why there is nothing to race where no operation comes to a result."""
        if not self.observations:
            return "the operations wait for ever in every serial order"
        calls = self.observations[0].shown
        return f"{calls.order[0]} {calls.results[0].replace('raised', 'raises', 1)}, whatever the order"

    @property
    def says_something(self) -> bool:
        """Whether some operation succeeds in some order: else the arguments were not worth racing."""
        return any(
            not all(text.startswith("raised ") for text in item.shown.results) for item in self.observations
        )


def serial_outcomes(explorer: Explorer, program: Program) -> SerialOutcomes:
    """Run every serial order twice; what differs between the two is masked."""
    _rehearse(explorer, program)
    observations: list[Observation] = []
    masked: set[str] = set()
    waits: set[tuple[tuple[int, ...], int]] = set()
    for order in program.serial_orders():
        first = _run(explorer, program, order)
        second = _run(explorer, program, order)
        if first is None or second is None:
            done = sum(program.finished())
            waits.add((order[:done], order[done]))
            continue
        masked |= differing_paths(first.snapshot, second.snapshot)
        observations.append(first)
    return SerialOutcomes(tuple(observations), frozenset(masked), frozenset(waits))


def _rehearse(explorer: Explorer, program: Program) -> None:
    """Make the subject once under control; later executions do so in the open, for speed."""
    trace = explorer.run(program.rehearse, Guided([]))
    if trace.ending is Ending.DEADLOCK:
        raise SetupFailed(f"{', then '.join((program.text.setup, *program.text.prefix))} waits for ever")
    if trace.broken_by is not None:
        raise trace.broken_by
    error = trace.tasks[0].error
    if error is not None:
        raise error


def _run(explorer: Explorer, program: Program, order: tuple[int, ...]) -> Observation | None:
    trace = explorer.run(lambda: program.prepare_serial(order), Guided([]))
    if trace.broken_by is not None:
        raise trace.broken_by
    escaped = next((task.error for task in trace.tasks if task.error is not None), None)
    if escaped is not None:
        raise HarnessError(f"an operation ends the program: {type(escaped).__name__}: {escaped}")
    if trace.ending is Ending.OVERRUN:
        raise HarnessError("an operation does not end even when it runs alone")
    return None if trace.ending is Ending.DEADLOCK else program.observe(order)
