"""What counts as a failure of one execution."""

from collections.abc import Callable
from typing import Protocol

from racehound.engine.execution import Ending, Trace
from racehound.errors import HarnessError
from racehound.scenario.program import Program
from racehound.scenario.serial import SerialOutcomes

SERIAL_ORACLE = "serial outcomes"


class Oracle(Protocol):
    oracle: str
    """The name of what the last failure violated."""

    def __call__(self, trace: Trace) -> str | None: ...


class OutcomeJudge:
    """Holds an execution against the serial outcomes."""

    def __init__(self, program: Program, serial: SerialOutcomes, *, must_end: bool = False) -> None:
        self._program = program
        self._serial = serial
        self._may_wait = not must_end or bool(serial.observations)
        self.oracle = SERIAL_ORACLE

    def __call__(self, trace: Trace) -> str | None:
        if trace.ending is Ending.DEADLOCK:
            done, blocked = self._program.fold.representatives(self._program.finished(), list(trace.blocked))
            if self._may_wait and self._serial.allows_waiting(done, blocked):
                return None
            self.oracle = "deadlock"
            return _never_ends(trace)
        if self._serial.allows(self._program.snapshot()):
            return None
        raised = [task.error for task in trace.tasks if task.error is not None]
        if raised and not self._raised_serially(type(raised[0]).__name__):
            self.oracle = "exception"
            return f"{type(raised[0]).__name__}: {raised[0]} is raised, which no serial order does"
        self.oracle = SERIAL_ORACLE
        return "the results and the final state are those of no serial order"

    def _raised_serially(self, name: str) -> bool:
        shown = (text for item in self._serial.observations for text in item.shown.results)
        return any(text.startswith(f"raised {name}") for text in shown)


def _never_ends(trace: Trace) -> str:
    if len(trace.blocked) == 1:
        return "a task waits for ever for what has already happened, which no serial order does"
    return "the tasks wait for each other for ever, which no serial order does"


class InvariantJudge:
    """Holds the final state against a condition that the user wrote."""

    def __init__(self, program: Program, invariant: Callable[[object], object]) -> None:
        self._program = program
        self._invariant = invariant
        self.oracle = "invariant"

    def __call__(self, trace: Trace) -> str | None:
        if trace.ending is Ending.DEADLOCK:
            self.oracle = "deadlock"
            return "the tasks wait for each other for ever"
        raised = [task.error for task in trace.tasks if task.error is not None]
        if raised:
            self.oracle = "exception"
            return f"a worker raises {type(raised[0]).__name__}: {raised[0]}"
        self.oracle = "invariant"
        try:
            holds = self._invariant(self._program.subject)
        except AssertionError as error:
            return f"the invariant does not hold: {error}" if str(error) else "the invariant does not hold"
        except Exception as error:
            raise HarnessError(f"the invariant raises {type(error).__name__}: {error}") from error
        return None if holds is None or holds else "the invariant does not hold"
