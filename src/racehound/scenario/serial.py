"""Serial outcomes: what the operations can do when they run one after the other.

An outcome that no serial order gives is a violation. Nobody has to write an invariant for that: the code
itself, run without overlap, says what is right.
"""

import asyncio
from dataclasses import dataclass

from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer
from racehound.errors import HarnessError
from racehound.model.schedule import TaskId
from racehound.scenario.program import Observation, Program
from racehound.scenario.snapshot import Snapshot, differing_paths, without
from racehound.scenario.stuck import STUCK
from racehound.strategies.guided import Guided


@dataclass(frozen=True, slots=True)
class SerialOutcomes:
    observations: tuple[Observation, ...]
    masked: frozenset[str]
    blocks: bool
    """Some serial order waits for ever, whatever the others do meanwhile."""
    unheard: frozenset[str] = frozenset()
    """Names of exceptions that end a thread of the program's own in some serial order."""

    def allows(self, snapshot: Snapshot) -> bool:
        """Whether some serial order gives this outcome."""
        compared = without(snapshot, self.masked)
        return any(without(item.snapshot, self.masked) == compared for item in self.observations)

    @property
    def says_something(self) -> bool:
        """Whether some operation succeeds in some order: else the arguments were not worth racing."""
        return any(
            not all(text.startswith("raised ") for text in item.shown.results) for item in self.observations
        )


def serial_outcomes(explorer: Explorer, program: Program) -> SerialOutcomes:
    """Run every serial order twice; what differs between the two is masked."""
    runs = _Runs(explorer, program)
    observations: list[Observation] = []
    masked: set[str] = set()
    blocks = False
    for order in program.serial_orders():
        first, second = runs.observe(order), runs.observe(order)
        if first is None or second is None:
            blocks = True
            continue
        masked |= differing_paths(first.snapshot, second.snapshot)
        observations.append(first)
    return SerialOutcomes(tuple(observations), frozenset(masked), blocks, frozenset(runs.unheard))


class _Runs:
    """Serial executions of one program."""

    def __init__(self, explorer: Explorer, program: Program) -> None:
        self._explorer = explorer
        self._program = program
        self.unheard: set[str] = set()

    def observe(self, order: tuple[int, ...]) -> Observation | None:
        """One after the other; where an operation waits for a later one, that one begins meanwhile."""
        trace = self._explorer.run(lambda: self._program.prepare_serial(order), Guided([]))
        if trace.ending in STUCK:
            wishes = [(TaskId(task), None) for task in dict.fromkeys(order)]
            trace = self._explorer.run(self._program.prepare, Guided(wishes))
        if trace.ending in STUCK:
            return None
        _check(trace)
        self.unheard |= {type(error).__name__ for error in unheard_errors(trace, self._program)}
        return self._program.observe(order)


def _check(trace: Trace) -> None:
    if trace.ending is Ending.OVERRUN:
        raise HarnessError("an operation does not end even when it runs alone")
    if trace.broken_by is not None:
        raise trace.broken_by
    for task in trace.tasks:
        if task.error is not None and not isinstance(task.error, Exception | asyncio.CancelledError):
            raise HarnessError(f"an operation ends the program: {type(task.error).__name__}: {task.error}")


def unheard_errors(trace: Trace, program: Program) -> list[BaseException]:
    """What ended threads and callbacks that the program started itself, where nobody could catch it."""
    return [task.error for task in trace.tasks[len(program.text.tasks) :] if task.error is not None]
