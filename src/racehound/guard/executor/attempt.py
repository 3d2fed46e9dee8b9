"""One strategy in one round.

Two sides meet here: the one that runs the strategy and the one that waits for it. Whoever first *claims* the
attempt with an outcome decides what became of it; the other side's outcome is dropped. The claim comes first,
then the verdict to the breaker, then the publication: a caller that sees an outcome can rely on the breaker
knowing it, and no lock is held while the breaker and its listeners run.
"""

from __future__ import annotations

from concurrent.futures import CancelledError
from functools import partial
from threading import Event
from time import monotonic
from types import CoroutineType
from typing import TYPE_CHECKING, Any, TypeVar

from racehound.guard.executor.current import CURRENT
from racehound.guard.executor.errors import StrategyCancelled, StrategyRejected
from racehound.guard.executor.outcome import Outcome, Status
from racehound.guard.executor.permit import Permit

if TYPE_CHECKING:
    from asyncio import Task
    from collections.abc import Callable
    from contextvars import Context

    from racehound.guard.executor.round import Round
    from racehound.guard.executor.strategy import Strategy

R = TypeVar("R")


class Refusal(Exception):
    """The place where the function was to run did not take it."""


class Attempt:
    __slots__ = (
        "_given_up",
        "_stoppers",
        "call",
        "context",
        "name",
        "outcome",
        "permit",
        "round",
        "started",
        "strategy",
        "taken",
        "task",
    )

    def __init__(self, name: str, strategy: Strategy, owner: Round, context: Context) -> None:
        self.name = name
        self.strategy = strategy
        self.round = owner
        self.context = context
        self.call: Callable[..., Any] = strategy.function
        self.permit: Permit | None = None
        self.taken = False  # somebody is about to run it, or does; set before the breaker is asked, which may hang
        self.started: float | None = None  # the permit was given at that time
        self.outcome: Outcome[Any] | None = None  # written once, under the lock of the round
        self.task: Task[None] | None = None  # of a coroutine function, from its launch on
        self._stoppers: list[Callable[[], object]] | None = None
        self._given_up: Event | None = None

    def perform(self) -> None:
        """Run a plain function; called by a worker."""
        if self._begin():
            self._finish(self.context.run(self._run))

    def _run(self) -> Outcome[Any]:
        CURRENT.set(self)
        try:
            return self._returned(self.call(*self.round.args))
        except BaseException as error:  # noqa: BLE001 - a strategy never takes its round or its worker down
            return self._raised(error)
        finally:
            CURRENT.set(None)  # the context must not keep the attempt alive, which keeps the context

    def _returned(self, value: object) -> Outcome[Any]:
        if type(value) is CoroutineType:
            value.close()
            raise TypeError("a plain function returned a coroutine: say Strategy(…, asynchronous=True)")
        return Outcome(Status.OK, value, None, self.elapsed())

    async def perform_on_loop(self) -> None:
        """Run a coroutine function; called in a task of its own, within the context of the attempt."""
        try:
            if not await self._aside(self._begin):
                return
            CURRENT.set(self)
            outcome = Outcome(Status.OK, await self.call(*self.round.args), None, self.elapsed())
        except BaseException as error:  # noqa: BLE001 - as above; nobody awaits this task, so nothing is lost
            outcome = self._raised(error)
        CURRENT.set(None)
        await self._aside(partial(self._finish, outcome))

    async def _aside(self, step: Callable[[], R]) -> R:
        """Off the event loop if the breaker may wait for a store; then to the end, even in a cancelled task."""
        if not self.round.breaker_blocks:
            return step()
        from racehound.guard.breaker.offload import in_thread  # noqa: PLC0415 - only with a store

        return await in_thread(step)

    def _begin(self) -> bool:
        """Ask the breaker, now that the strategy really starts: permits do not grow old in a queue."""
        self.taken = True
        breaker = self.round.breaker
        if breaker is None or self.outcome is not None:
            return self._start(None)
        try:
            circuit = breaker.circuit(self.name)
            admission = circuit.try_admit()
            refusal = circuit.refusal() if admission is None else None
        except Exception as error:  # noqa: BLE001 - a broken breaker concerns this strategy alone
            self._finish(Outcome(Status.FAILED, None, error))
            return False
        if refusal is not None:
            self._finish(Outcome(Status.SKIPPED, None, refusal))
            return False
        return self._start(Permit(circuit, admission))

    def _start(self, permit: Permit | None) -> bool:
        if self.round.start(self, permit):
            return True
        if permit is not None:
            permit.give_back()
        self.round.came_back(self)
        return False

    def _finish(self, outcome: Outcome[Any]) -> None:
        if self.round.claim(self, outcome):
            self.settle()
        else:
            self.round.came_back(self, outcome)

    def settle(self) -> None:
        """Tell the breaker, then the round; only for the side whose claim was accepted."""
        assert self.outcome is not None  # noqa: S101 - that is what the claim has done
        try:
            if self.permit is not None:
                self.permit.judge(self.outcome)
        finally:
            self.round.publish(self.outcome)

    def elapsed(self) -> float:
        return 0.0 if self.started is None else monotonic() - self.started

    def _raised(self, error: BaseException) -> Outcome[Any]:
        if isinstance(error, Refusal):
            rejected = StrategyRejected(self.name, str(error))
            rejected.__cause__ = error.__cause__
            return Outcome(Status.REJECTED, None, rejected)
        if isinstance(error, KeyboardInterrupt):
            self.round.interrupt(error)
        if error.__traceback__ is not None:
            error.__traceback__ = error.__traceback__.tb_next  # our frame would keep the attempt and its outcome
        status = Status.CANCELLED if _is_cancellation(error) else Status.FAILED
        return Outcome(status, None, error, self.elapsed())

    def when_given_up(self, stopper: Callable[[], object]) -> None:
        """Call `stopper` when nobody waits any more: at once if that is so already."""
        if not self.round.keep_stopper(self, stopper):
            stopper()

    def given_up(self) -> Event:
        """Set when nobody waits any more: one for all the waits of a strategy, which may be many."""
        if self._given_up is None:
            self._given_up = Event()
            self.when_given_up(self._given_up.set)
        return self._given_up

    def add_stopper(self, stopper: Callable[[], object]) -> None:
        """Only under the lock of the round."""
        self._stoppers = [*(self._stoppers or ()), stopper]

    def stop(self) -> None:
        """Ask the running strategy to stop; only after the waiting side has claimed the attempt."""
        for stopper in self._stoppers or ():
            stopper()


def _is_cancellation(error: BaseException) -> bool:
    if isinstance(error, CancelledError | StrategyCancelled | KeyboardInterrupt):
        return True
    if isinstance(error, Exception):
        return False
    from asyncio import CancelledError as TaskCancelled  # noqa: PLC0415 - costly, and seldom needed

    return isinstance(error, TaskCancelled)
