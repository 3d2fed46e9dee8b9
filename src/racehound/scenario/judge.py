"""What counts as a failure of one execution."""

from collections.abc import Callable
from typing import Protocol

from racehound.engine.company import UNFINISHED
from racehound.engine.execution import Trace
from racehound.scenario.program import Program
from racehound.scenario.serial import PAIR, SerialOutcomes, refuse_the_end, unheard_errors
from racehound.scenario.stuck import STUCK, why_stuck
from racehound.scenario.unseen import unseen_in

SERIAL_ORACLE = "serial outcomes"
NO_SERIAL_ORDER = "the results and the final state are those of no serial order"
TOGETHER = "operations that get on only together were raced with a third one, which may see them halfway"
REFUSED = "a lock that is only tried for was refused, and whether all is well then only an invariant can tell"


class Oracle(Protocol):
    oracle: str
    """The name of what the last failure violated."""
    caveats: set[str]
    """Why what was let pass is not proven right."""

    def __call__(self, trace: Trace) -> str | None: ...


class OutcomeJudge:
    """Holds an execution against the serial outcomes."""

    def __init__(self, program: Program, serial: SerialOutcomes, *, must_end: bool = False) -> None:
        self._program = program
        self._serial = serial
        self._may_wait = not must_end or bool(serial.observations)
        self.oracle = SERIAL_ORACLE
        self.caveats: set[str] = set()
        self._allowed = 0

    def __call__(self, trace: Trace) -> str | None:
        if trace.ending in STUCK:
            waiting = self._program.fold.representatives(self._program.finished(), self._blocked(trace))
            if self._may_wait and self._serial.allows_waiting(*waiting):
                return None
            self.oracle, reason = why_stuck(trace)
            return f"{reason}, which no serial order does"
        unheard = [error for error in unheard_errors(trace, self._program) if not self._raised_unheard(error)]
        if unheard:
            self.oracle = "exception"
            where = "thread" if self._program.is_threaded else "task"
            return f"{type(unheard[0]).__name__}: {unheard[0]} ends a {where}, which no serial order does"
        snapshot = self._program.snapshot()
        if self._serial.allows(snapshot):
            self._look_closer(trace)
            return None
        if trace.tried and self._serial.allows_refused(snapshot):
            self.caveats.add(REFUSED)
            return None
        own = trace.tasks[: len(self._program.text.tasks)]  # what they started was judged above
        raised = [task.error for task in own if task.error is not None]
        if raised and not self._raised_serially(type(raised[0]).__name__):
            self.oracle = "exception"
            return f"{type(raised[0]).__name__}: {raised[0]} is raised, which no serial order does"
        if UNFINISHED in trace.caveats or self._may_be_halfway():
            return None  # how far the background came by then is a matter of chance, in serial orders too
        self.oracle = SERIAL_ORACLE
        if trace.forgotten:
            lost = f"nothing refers to the task {trace.forgotten[0]}, so it may be gone before it has ended"
            return f"{lost}; then {NO_SERIAL_ORDER}"
        return NO_SERIAL_ORDER

    def _may_be_halfway(self) -> bool:
        """Whether operations that get on only together have company."""
        if not self._serial.only_together or len(self._program.text.tasks) <= PAIR:
            return False
        self.caveats.add(TOGETHER)
        return True

    def _look_closer(self, trace: Trace) -> None:
        """At some of the executions, whether all of what they have left was compared."""
        self._allowed += 1
        if self._allowed & (self._allowed - 1) == 0:
            self.caveats |= unseen_in(trace, self._program.roots())

    def _blocked(self, trace: Trace) -> list[int]:
        """The tasks of the scenario that did not come to their end; what they started waits on their behalf."""
        return [task.id for task in trace.tasks[: len(self._program.text.tasks)] if task.id in trace.blocked]

    def _raised_unheard(self, error: BaseException) -> bool:
        return type(error).__name__ in self._serial.unheard

    def _raised_serially(self, name: str) -> bool:
        shown = (text for item in self._serial.observations for text in item.shown.results)
        return any(text.startswith(f"raised {name}") for text in shown)


class InvariantJudge:
    """Holds the final state against a condition that the user wrote."""

    def __init__(self, program: Program, invariant: Callable[[object], object]) -> None:
        self._program = program
        self._invariant = invariant
        self.oracle = "invariant"
        self.caveats: set[str] = set()
        self.raised: Exception | None = None
        """What the invariant itself raised when it was asked last, where that says more than that it is false."""

    def __call__(self, trace: Trace) -> str | None:
        self.raised = None
        if trace.ending in STUCK:
            self.oracle, reason = why_stuck(trace)
            return reason
        refuse_the_end(trace)
        raised = [task.error for task in trace.tasks if task.error is not None]
        if raised:
            self.oracle = "exception"
            return f"a worker raises {type(raised[0]).__name__}: {raised[0]}"
        self.oracle = "invariant"
        try:
            holds = self._invariant(self._program.subject)
        except AssertionError as error:
            return f"the invariant does not hold: {error}" if str(error) else "the invariant does not hold"
        except Exception as error:  # noqa: BLE001 - in a state that no serial order gives it may raise anything
            self.raised = error
            return f"the invariant does not hold: it raises {type(error).__name__}: {error}"
        return None if holds is None or holds else "the invariant does not hold"
