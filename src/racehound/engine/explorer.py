"""Many executions of one program, until a failure is found, nothing is left to try, or the budget is spent."""

import gc
import sys
from _thread import get_ident
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from racehound.engine.carrier import CarrierPool
from racehound.engine.control import CONTROL
from racehound.engine.determinism import UNSTEADY, is_steady
from racehound.engine.execution import START_OF_TIME, Ending, Execution, Trace, Watcher
from racehound.engine.one_core import OneCore
from racehound.engine.outlasting import Patience
from racehound.engine.strategy import SearchStrategy, Strategy
from racehound.engine.workers import WorkersMatter
from racehound.errors import RacehoundError

Bodies = Sequence[Callable[[], object]]
Prepare = Callable[[], Bodies]
"""Makes a fresh state and the bodies that work on it."""

Judge = Callable[[Trace], str | None]
"""Says what is wrong with an execution, or None."""


@dataclass(slots=True)
class Search:
    """What a search has seen."""

    executions: int = 0
    exhausted: bool = False
    bound: int | None = None
    """Short of exhausted: everything with so many preemptions was tried."""
    failure: str | None = None
    trace: Trace | None = None
    """The failing execution."""
    caveats: set[str] = field(default_factory=set)
    broken_by: BaseException | None = None


class Explorer:
    """Owns the carriers; close it when done.

    With a number of `seconds`, code that waits for something outside ends as a HarnessError soon after them.
    """

    def __init__(self, *, seconds: float = inf) -> None:
        self._pool = CarrierPool()
        self._core = OneCore(self._pool)
        self._streams = sys.stdout, sys.stderr  # a program may leave others in their place
        self._until = monotonic() + seconds
        self.ends = inf
        """When executions that belong to no search end, whatever they have come to."""
        self.notice: Callable[[Trace], None] = lambda _: None
        """Told of every execution of a search."""
        self.begun = 0
        """Executions so far; a search that is at work makes more of them."""

    def close(self) -> None:
        self._pool.close()
        sys.stdout, sys.stderr = self._streams
        CONTROL.now = None

    def run(self, prepare: Prepare, strategy: Strategy, *, watcher: Watcher | None = None) -> Trace:
        """One execution."""
        strategy.start_execution()
        with _no_collection(), self._core.kept():
            return self._execute(prepare, strategy, watcher, ends=self.ends)

    def _execute(
        self,
        prepare: Prepare,
        strategy: Strategy,
        watcher: Watcher | None = None,
        *,
        impatient: bool = False,
        ends: float = inf,
    ) -> Trace:
        self.begun += 1
        self._core.look_around()
        sys.stdout, sys.stderr = self._streams
        CONTROL.now, CONTROL.harness = START_OF_TIME, get_ident()
        CONTROL.count_names_anew()
        bodies = prepare()
        if CONTROL.fresh_carriers:
            self._pool.close()
        patience = Patience(self._until, ends)
        execution = Execution(self._pool, strategy, watcher=watcher, impatient=impatient, patience=patience)
        execution.now = CONTROL.now  # later than the start of time if the set-up has waited under control
        trace = execution.run(bodies)
        CONTROL.now = execution.now
        CONTROL.jobs.clear()
        if isinstance(trace.broken_by, WorkersMatter):
            raise trace.broken_by
        return trace

    def search(
        self, prepare: Prepare, strategy: SearchStrategy, judge: Judge, *, seconds: float, impatient: bool = False
    ) -> Search:
        """Executions until the first failure; an impatient one lets timeouts go off at any moment."""
        result = Search()
        deadline = monotonic() + seconds
        try:
            with _no_collection(), self._core.kept():
                self._search(result, prepare, strategy, judge, deadline, impatient=impatient)
        finally:
            result.exhausted = strategy.exhausted
            result.bound = strategy.bound
        return result

    def _search(
        self,
        result: Search,
        prepare: Prepare,
        strategy: SearchStrategy,
        judge: Judge,
        deadline: float,
        *,
        impatient: bool,
    ) -> None:
        while strategy.start_execution():
            if monotonic() >= deadline:
                return
            trace = self._execute(prepare, strategy, impatient=impatient, ends=deadline)
            if self._judge_one(result, trace, judge):
                return
            if result.executions % 256 == 0:
                gc.collect()
        if strategy.exhausted and not is_steady(lambda order: self.run(prepare, order), result.executions):
            result.caveats.add(UNSTEADY)

    def _judge_one(self, result: Search, trace: Trace, judge: Judge) -> bool:
        result.executions += 1
        result.caveats |= trace.caveats
        self.notice(trace)
        if trace.ending is Ending.BROKEN:
            result.broken_by = trace.broken_by
            return True
        if trace.ending in (Ending.PRUNED, Ending.LATE):
            return trace.ending is Ending.LATE
        if trace.ending is Ending.OVERRUN:
            result.caveats.add("an execution did not end within the limit of operations")
            return False
        result.failure = judge(trace)
        result.trace = trace if result.failure else None
        return result.failure is not None


@contextmanager
def _no_collection() -> Iterator[None]:
    """A finalizer or a callback that runs at an arbitrary allocation would be a choice out of our hands."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def reason_of(error: BaseException | None) -> str:
    """One line for a person."""
    return str(error) if isinstance(error, RacehoundError) else f"{type(error).__name__}: {error}"
