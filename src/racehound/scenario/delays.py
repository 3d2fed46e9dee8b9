"""Serial orders in which some time passes before an operation begins.

While one operation waits for a time, another may run at the end of that time, and see what nobody sees at its
beginning: a limiter that has capacity again. Had it been called so late, with nothing else under way, it would
have seen the same. So an execution is also compared with serial orders whose operations begin at those moments
at which they took steps there.
"""

from collections.abc import Iterator
from functools import partial
from itertools import islice, pairwise, product
from math import inf

from racehound.engine.control import CONTROL
from racehound.engine.explorer import Explorer
from racehound.engine.operation import Operation
from racehound.engine.trace import Trace
from racehound.engine.watcher import Watcher
from racehound.model.schedule import TaskId
from racehound.scenario.program import Observation, Program
from racehound.scenario.serial import TooMany, observed_serially
from racehound.scenario.serial_bodies import Manner
from racehound.strategies.replay import Replay

MOST = 100
"""Serial orders with delays that are tried for one execution."""
PATTERNS = 20
"""Executions of one scenario that differ in their times."""

Moments = tuple[tuple[float, ...], ...]
"""For each task those at which it took steps."""


class Delays:
    """What is to be seen in serial orders of one program if time passes between operations."""

    def __init__(self, explorer: Explorer, program: Program) -> None:
        self._explorer = explorer
        self._program = program
        self._known: dict[Moments, tuple[Observation, ...]] = {}

    def seen_beside(self, trace: Trace) -> tuple[Observation, ...]:
        """These outcomes, for an execution; raises TooMany where there are too many to see."""
        moments = self._moments_of(trace)
        if len({moment for each in moments for moment in each}) <= 1:
            return ()
        if moments not in self._known:
            if len(self._known) >= PATTERNS:
                raise TooMany
            self._known[moments] = tuple(self._observed(moments))
        return self._known[moments]

    def span_of(self, trace: Trace) -> float:
        """The seconds in which the operations were under way, if not fewer."""
        span = _Span(len(self._program.text.tasks))
        self._explorer.run(self._program.prepare, Replay(trace.schedule), watcher=span)
        return span.seconds

    def _moments_of(self, trace: Trace) -> Moments:
        clock = _Clock()
        self._explorer.run(self._program.prepare, Replay(trace.schedule), watcher=clock)
        tasks = range(len(self._program.text.tasks))
        return tuple(tuple(sorted(clock.moments.get(TaskId(task), ()))) for task in tasks)

    def _observed(self, moments: Moments) -> Iterator[Observation]:
        ways = [
            (order, starts)
            for order in self._program.serial_orders()
            for starts in islice(product(*(moments[task] for task in order)), MOST)
            if all(before <= after for before, after in pairwise(starts))
        ]
        if len(ways) > MOST:
            raise TooMany
        for order, starts in ways:
            prepare = partial(self._program.prepare_serial, order, Manner(starts=starts))
            found = observed_serially(self._explorer, self._program, prepare, order)
            if found is not None:
                yield found


class _Span(Watcher):
    """Looks how late it is when the last of the first tasks has taken its last step."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._begun: float | None = None
        self._ended = inf
        """Until somebody else takes a step after it, the end of the last one is not known."""

    @property
    def seconds(self) -> float:
        return self._ended - (self._begun or 0.0)

    def before(self, task: TaskId, operation: Operation) -> None:
        del operation
        if CONTROL.now is None:
            return
        if self._begun is None:
            self._begun = CONTROL.now
        self._ended = inf if task < self._first else min(self._ended, CONTROL.now)


class _Clock(Watcher):
    """Looks when each task takes steps."""

    def __init__(self) -> None:
        self.moments: dict[TaskId, set[float]] = {}

    def before(self, task: TaskId, operation: Operation) -> None:
        del operation
        if CONTROL.now is not None:
            self.moments.setdefault(task, set()).add(CONTROL.now)
