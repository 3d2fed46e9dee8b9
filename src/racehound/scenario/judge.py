"""What counts as a failure of one execution."""

import asyncio
import queue
import re
from collections.abc import Callable, Sequence
from typing import Protocol

from racehound.engine.company import UNFINISHED
from racehound.engine.execution import Trace
from racehound.engine.explorer import Explorer
from racehound.engine.naps import acts_amidst
from racehound.engine.spin import SLEEP
from racehound.scenario.alongside import Alongside, has_several_in_background
from racehound.scenario.blocks import Meetings
from racehound.scenario.delays import Delays
from racehound.scenario.outcomes import SerialOutcomes
from racehound.scenario.program import Program
from racehound.scenario.said import said_in
from racehound.scenario.serial import PAIR, TooMany, hands_over_functions, refuse_the_end, unheard_errors
from racehound.scenario.snapshot import Snapshot
from racehound.scenario.stuck import STUCK, why_stuck
from racehound.scenario.unseen import unseen_in

SERIAL_ORACLE = "serial outcomes"
INVARIANT = "invariant"
NO_SERIAL_ORDER = "the results and the final state are those of no serial order"
EVERY_ORDER = "in every serial order, too"
BOTH_OPEN = "two blocks are open at once, which no serial order does"
HURRIED = "the results and the final state are those of operations between which time passes, and here none did"
NOT_AT_ONCE = "results and final state are those of blocks one after the other, but they were open at once"
NO_TRACE = (
    "one of two blocks that are open at once leaves no trace, and whether that is meant an invariant can tell"
)
TOGETHER = "operations that get on only together were raced with a third one, which may see them halfway"
BETWEEN = (
    "how far the background has come when an operation begins is a matter of chance, in too many ways to see all"
)
REFUSED = "a lock that is only tried for was refused, and whether all is well then only an invariant can tell"
SAID = "what is printed or logged is that of no serial order, and whether it matters only a reader can tell"
OUTRUN = "a timeout is shorter than another task sleeps, and whether all is well then only an invariant can tell"

TURNED_AWAY = (
    "one operation is refused, without a trace, while another runs the function that it was given, and whether"
    " that is meant only an invariant can tell"
)
CANCELLED = (
    "one operation ends things and so cancels another, and whether that is meant only an invariant can tell"
)
CROWD = (
    "several wait with a timeout and are woken at once, and whether all is well then only an invariant can tell"
)

IN_VAIN = (TimeoutError, queue.Empty, queue.Full)
"""How those complain who have waited in vain."""


ENDING = re.compile(r"\b_*(?:\w+_)?(?:abort|cancel|close|dispose|kill|shutdown|stop|terminate)(?:_\w+)?$")
"""The names of what is called to end things."""


class Oracle(Protocol):
    oracle: str
    """The name of what the last failure violated."""
    caveats: set[str]
    """Why what was let pass is not proven right."""

    def __call__(self, trace: Trace) -> str | None: ...


class OutcomeJudge:
    """Holds an execution against the serial outcomes."""

    def __init__(
        self, program: Program, serial: SerialOutcomes, explorer: Explorer, *, must_end: bool = False
    ) -> None:
        self._program = program
        self._serial = serial
        self._alongside, self._delays = Alongside(explorer, program), Delays(explorer, program)
        self._may_wait = not must_end or bool(serial.observations)
        self.oracle = SERIAL_ORACLE
        self.caveats: set[str] = set()
        self._allowed = 0
        self._said = {item.said for item in serial.observations}

    def __call__(self, trace: Trace) -> str | None:
        if trace.ending in STUCK:
            blocked = self._blocked(trace)
            done, waiting = self._program.standstill(blocked)
            if self._may_wait and self._serial.allows_waiting(done, waiting, several=len(blocked) > 1):
                return None
            self.oracle, reason = why_stuck(trace)
            return f"{reason}, {'which no serial order does' if self._may_wait else EVERY_ORDER}"
        refuse_the_end(trace)
        unheard = [error for error in unheard_errors(trace, self._program) if not self._raised_unheard(error)]
        if unheard:
            self.oracle = "exception"
            where = "thread" if self._program.is_threaded else "task"
            return f"{type(unheard[0]).__name__}: {unheard[0]} ends a {where}, which no serial order does"
        snapshot = self._program.snapshot()
        met = self._program.met
        serial = self._in_time_for(trace, snapshot, met)
        if serial.allows(snapshot, met, lag=trace.lag):
            self._look_closer(trace)
            if self._serial.lose_one(snapshot) and not any(task.error for task in trace.tasks):
                self.caveats.add(NO_TRACE)
            return None
        own = trace.tasks[: len(self._program.text.tasks)]  # what they started was judged above
        raised = [task.error for task in own if task.error is not None]
        by_design = self._by_design(trace, snapshot, raised)
        if by_design is not None:
            self.caveats.add(by_design)
            return None
        if raised and not self._raised_serially(type(raised[0]).__name__):
            self.oracle = "exception"
            return f"{type(raised[0]).__name__}: {raised[0]} is raised, which no serial order does"
        if self._is_matter_of_chance(trace, serial, snapshot, met):
            return None
        self.oracle = SERIAL_ORACLE
        if serial.allows(snapshot, lag=trace.lag):
            return NOT_AT_ONCE if self._serial.allows_meeting(met) else BOTH_OPEN
        return HURRIED if self._serial.allows(snapshot, met, lag=trace.lag) else _of_no_order(trace)

    def _in_time_for(self, trace: Trace, snapshot: Snapshot, met: Meetings) -> SerialOutcomes:
        """The serial outcomes, without those between whose operations more time passes than there was here.

        What a task in the background does after a while, it does between operations only if these come so late.
        """
        at_once = self._serial.within(0.0)
        if at_once is self._serial or at_once.allows(snapshot, met, lag=trace.lag):
            return self._serial
        if not self._serial.allows(snapshot, met, lag=trace.lag):
            return self._serial
        return self._serial.within(self._delays.span_of(trace))

    def _by_design(self, trace: Trace, snapshot: Snapshot, raised: Sequence[BaseException]) -> str | None:
        """Why an outcome of no serial order may be meant to be possible."""
        if trace.tried and self._serial.allows_refused(snapshot, self._program.met):
            return REFUSED
        if raised and all(isinstance(error, asyncio.CancelledError) for error in raised) and self._ends_things():
            return CANCELLED
        if self._is_turned_away(snapshot, raised):
            return TURNED_AWAY
        in_vain = any(isinstance(error, IN_VAIN) for error in raised)
        is_late = trace.outrun or (trace.timed and any(event.operation.label == SLEEP for event in trace.events))
        if (in_vain and is_late) or (trace.outrun and not self._serial.is_outrun):
            return OUTRUN
        if trace.timed and self._serial.allows_crowd(snapshot, self._program.met):
            return CROWD
        return self._serial.byproducts(snapshot, self._program.met, self._program.rebound(), lag=trace.lag)

    def _is_turned_away(self, snapshot: Snapshot, raised: Sequence[BaseException]) -> bool:
        """Whether some say, in words of the program's own, that it cannot be done now, and do nothing."""
        served = len(self._program.text.tasks) - len(raised)
        if not served or not raised or any(type(error).__module__ == "builtins" for error in raised):
            return False
        is_alone = served > 1 or self._serial.leaves_one_out(snapshot)
        return is_alone and hands_over_functions(self._program.text)

    def _ends_things(self) -> bool:
        """Whether some operation is there to end what others have begun."""
        calls = [call for task in self._program.text.tasks for call in task]
        return any(ENDING.search(call.partition("(")[0]) for call in calls)

    def _is_matter_of_chance(
        self, trace: Trace, serial: SerialOutcomes, snapshot: Snapshot, met: Meetings
    ) -> bool:
        """Whether it depends on how far the background came, which it does in serial orders, too."""
        if (UNFINISHED in trace.caveats and acts_amidst(trace)) or self._may_be_halfway():
            return True
        try:
            return self._shows_in_time(trace, serial, snapshot, met)
        except TooMany:
            self.caveats.add(BETWEEN)
            return True

    def _shows_in_time(self, trace: Trace, serial: SerialOutcomes, snapshot: Snapshot, met: Meetings) -> bool:
        """Whether serial orders show the same that take their time, or beside a background that acts as it did."""
        rebound = self._program.rebound()
        delayed = serial.with_more(self._delays.seen_beside(trace))
        byproducts = delayed.byproducts(snapshot, met, rebound, lag=trace.lag)
        if byproducts is not None:
            self.caveats.add(byproducts)
        if byproducts is not None or delayed.allows(snapshot, met, lag=trace.lag):
            return True
        if self._serial.between is None or not has_several_in_background(trace):
            return False
        return self._alongside.explains(trace, serial, snapshot, met)

    def _may_be_halfway(self) -> bool:
        """Whether operations that get on only together have company, or come amidst too much in the background."""
        if self._serial.too_many_between:
            self.caveats.add(BETWEEN)
            return True
        if not self._serial.only_together or len(self._program.text.tasks) <= PAIR:
            return False
        self.caveats.add(TOGETHER)
        return True

    def _look_closer(self, trace: Trace) -> None:
        """Whether the tasks said anything else, and, at some executions, whether all that is left was compared."""
        if trace.said and said_in(trace) not in self._said:
            self.caveats.add(SAID)
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


def _of_no_order(trace: Trace) -> str:
    if not trace.forgotten:
        return NO_SERIAL_ORDER
    lost = f"nothing refers to the task {trace.forgotten[0]}, so it may be gone before it has ended"
    return f"{lost}; then {NO_SERIAL_ORDER}"


class InvariantJudge:
    """Holds the final state against a condition that the user wrote."""

    def __init__(self, program: Program, invariant: Callable[[object], object]) -> None:
        self._program = program
        self._invariant = invariant
        self.oracle = INVARIANT
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
        self.oracle = INVARIANT
        try:
            holds = self._invariant(self._program.subject)
        except AssertionError as error:
            return f"the invariant does not hold: {error}" if str(error) else "the invariant does not hold"
        except Exception as error:  # noqa: BLE001 - in a state that no serial order gives it may raise anything
            self.raised = error
            return f"the invariant does not hold: it raises {type(error).__name__}: {error}"
        return None if holds is None or holds else "the invariant does not hold"
