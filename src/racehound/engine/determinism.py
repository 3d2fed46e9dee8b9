"""Whether a program does the same again when nobody changes anything.

A search that is over after one execution has never seen a prefix twice, so it would not notice that the program
makes choices of its own: by time, by chance, by addresses. A search of few executions is therefore followed by a
few runs of the tasks one after the other, which must do the same each time.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from racehound.engine.operation import Kind, Operation
from racehound.engine.strategy import Strategy
from racehound.engine.trace import Trace
from racehound.errors import ReplayDrift
from racehound.model.schedule import TaskId

ENOUGH: Final = 6
"""So many executions repeat each other's beginnings often enough; fewer are made up for."""
UNSTEADY: Final = "the code makes choices of its own: run twice in the same order, it does different things"


def drift_at(step: int) -> ReplayDrift:
    """The program makes a choice that is not under control."""
    return ReplayDrift(
        f"step {step} differs although all choices before it were the same",
        hint="make the code independent of time, random numbers and object addresses",
    )


class InOrder:
    """Whoever runs goes on; then the next."""

    def start_execution(self) -> bool:
        return True

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del pending
        return current if current is not None and current in runnable else runnable[0]

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        """Nothing to learn."""


def is_steady(run: Callable[[Strategy], Trace], executions: int) -> bool:
    """Whether runs in the same order take the same steps, after a search of so many executions."""
    runs = [_steps(run(InOrder())) for _ in range(ENOUGH - executions)]
    return all(steps == runs[0] for steps in runs)


def _steps(trace: Trace) -> list[tuple[TaskId, Kind, int]]:
    return [(event.task, event.operation.kind, event.operation.site) for event in trace.events]
