from __future__ import annotations

import itertools
import math
import threading
import weakref
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from importlib import import_module
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from racehound.guard.executor.admission import waits_for_a_store
from racehound.guard.executor.attempt import Attempt
from racehound.guard.executor.current import CURRENT
from racehound.guard.executor.fork import renew_in_children
from racehound.guard.executor.ledger import Ledger
from racehound.guard.executor.limits import Limits
from racehound.guard.executor.mode import Mode
from racehound.guard.executor.nesting import blocking, holding_worker
from racehound.guard.executor.places import SHUT_DOWN, Places, start_on_running_loop
from racehound.guard.executor.round import Round, Terms
from racehound.guard.executor.strategy import Strategy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from racehound.guard.executor.admission import Breaker
    from racehound.guard.executor.outcome import Outcome
    from racehound.guard.executor.places import Starter
    from racehound.guard.executor.remote import ExecutorSource
    from racehound.guard.executor.round import Launcher
    from racehound.guard.executor.stragglers import Straggler

DEFAULT_LIMITS = Limits()
MOMENT = 1.0  # seconds that the waiting sides get to notice a cancellation, which they do at once
INTERRUPTED = "whoever waited for it was interrupted"
LONGEST_WAIT = 0.5  # seconds until an interrupt is noticed that came a moment too early to end the wait
_NUMBERS = itertools.count(1)


class ParallelStrategyExecutor:
    """Runs named strategies in parallel and says what became of each.

    A round (`run`, or `await arun`) calls every strategy with the same arguments and returns one `Outcome` per
    strategy, in the order of the mapping. It never raises for a strategy.

    Guarantees:
        * The breaker is asked when a strategy starts, and hears exactly one verdict for each permit it gave: an
          outcome that a caller can see has been reported before. A timeout counts as a failure; a result that
          comes later is ignored; a cancelled or rejected strategy counts as nothing.
        * A strategy that hangs past its deadline loses its worker to a new one, and `stragglers()` names it.
        * Rounds may run at the same time from any threads and event loops, and from within strategies.
        * Each strategy runs in its own copy of the caller's context variables.
        * In a forked child the executor starts afresh.

    Args:
        strategies: functions, coroutine functions or `Strategy` values, by name.
        max_workers: plain functions that run at the same time, over all rounds. Coroutines need no worker.
        breaker: a `CircuitBreaker`; strategies that it does not admit are skipped.
        mode: how a round that states no mode starts and ends.
        executor: where plain functions run instead of threads of our own: a `concurrent.futures.Executor`, or a
            function that makes one, so that it can be made again when it breaks, hangs or after a fork.
        limits: when to say no.
    """

    def __init__(
        self,
        strategies: Mapping[str, Strategy | Callable[..., Any]],
        max_workers: int = 4,
        *,
        breaker: Breaker | None = None,
        mode: Mode = Mode.ALL,
        executor: ExecutorSource | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        if max_workers < 1:
            raise ValueError(f"max_workers is one or more, not {max_workers}")
        self._strategies = {name: Strategy.of(given) for name, given in strategies.items()}
        self._has_coroutines = any(strategy.asynchronous for strategy in self._strategies.values())
        self._breaker = breaker
        self._mode = self._feasible(mode)
        self._limits = limits
        self._places = Places(f"strategies-{next(_NUMBERS)}", max_workers, limits, executor)
        self._ledger = Ledger(self._strategies)
        if self._has_coroutines:
            import_module("racehound.guard.executor.loops")  # now: a fork during a first import hangs the child
        weakref.finalize(self, self._places.close)
        renew_in_children(self)

    def run(
        self, *args: object, timeout: float | None = None, mode: Mode | None = None
    ) -> dict[str, Outcome[Any]]:
        """Run the strategies and wait for the round to be decided, at most `timeout` seconds."""
        bell: SimpleQueue[None] = SimpleQueue()
        with self._round(args, timeout, mode) as current:
            current.breaker_blocks = self._has_coroutines and self._breaker_blocks()
            current.wake = partial(bell.put, None)
            current.launch = self._launcher(current, self._places.start_on_own_loop)
            with blocking(current.terms.outer):
                while (pause := current.advance()) is not None:
                    _wait_for(bell, pause)
            return current.outcomes()

    async def arun(
        self,
        *args: object,
        timeout: float | None = None,  # noqa: ASYNC109 - a deadline gives outcomes, `asyncio.timeout` would give none
        mode: Mode | None = None,
    ) -> dict[str, Outcome[Any]]:
        """The same for a caller on an event loop, where the coroutine functions then run as well."""
        from racehound.guard.executor.loops import Bell, settle_aside  # noqa: PLC0415 - costly, and not for all

        bell = Bell()
        with self._round(args, timeout, mode) as current:
            current.defers_verdicts = current.breaker_blocks = self._breaker_blocks()
            current.wake = bell.ring
            current.launch = self._launcher(current, start_on_running_loop)
            try:
                with holding_worker(current.terms.outer):
                    while (pause := current.advance()) is not None:
                        await settle_aside(current)
                        await bell.wait(pause)
            except BaseException:
                current.abandon(INTERRUPTED)
                raise
            finally:
                await settle_aside(current)
            return current.outcomes()

    def _breaker_blocks(self) -> bool:
        name = next(iter(self._strategies), None)
        return self._breaker is not None and name is not None and waits_for_a_store(self._breaker, name)

    @contextmanager
    def _round(self, args: tuple[object, ...], timeout: float | None, mode: Mode | None) -> Iterator[Round]:
        current = Round(self._terms(args, timeout, mode), self._breaker, self._places)
        current.begin(
            [Attempt(name, strategy, current, copy_context()) for name, strategy in self._strategies.items()]
        )
        try:
            yield current
        except BaseException:
            current.abandon(INTERRUPTED)
            raise
        finally:
            self._ledger.leave(current)
            current.forget()

    def _terms(self, args: tuple[object, ...], timeout: float | None, mode: Mode | None) -> Terms:
        seconds = self._limits.timeout if timeout is None else timeout
        if seconds is not None and not seconds >= 0:
            raise ValueError(f"timeout is zero seconds or more, not {seconds}")
        feasible = self._mode if mode is None else self._feasible(mode)
        return Terms(args=args, mode=feasible, timeout=seconds, outer=CURRENT.get())

    def _feasible(self, mode: Mode) -> Mode:
        if mode.successes is not None and mode.successes > len(self._strategies):
            raise ValueError(f"{len(self._strategies)} strategies cannot succeed {mode.successes} times")
        return mode

    def _launcher(self, current: Round, start_coroutines: Starter) -> Launcher:
        if self._ledger.enter(current):
            return partial(self._places.launch, start_coroutines)
        return refuse_all

    def stragglers(self) -> tuple[Straggler, ...]:
        """The strategies that were given up and have not come back, with the line each is at."""
        return self._places.stragglers.report()

    def statistics(self) -> dict[str, dict[str, int]]:
        """By strategy: how often each status came up, and as `late` how many results came too late."""
        late = self._places.stragglers.late
        return {name: counts | {"late": late.get(name, 0)} for name, counts in self._ledger.counts().items()}

    def shutdown(self, *, timeout: float | None = None, cancel: bool = False) -> tuple[Straggler, ...]:
        """Take no more rounds, let those under way end, stop the workers.

        After `timeout` seconds (by default those of the limits), or at once with `cancel`, what is not finished
        is cancelled. Returns the strategies that run on regardless. Called from within a strategy it does not
        wait.
        """
        seconds = self._limits.shutdown if timeout is None else timeout
        end = monotonic() + min(threading.TIMEOUT_MAX, math.inf if seconds is None else seconds)
        self._ledger.close()
        inside = self._places.is_inside(CURRENT.get())
        if cancel:
            self._ledger.cancel_all(SHUT_DOWN)
        if not inside and not self._ledger.drain(max(0.0, end - monotonic())):
            self._ledger.cancel_all(SHUT_DOWN)
            self._ledger.drain(MOMENT)
        self._places.close()
        if not inside:
            self._places.join(end)
        return self.stragglers()

    def renew_after_fork(self) -> None:
        """Called in a forked child, before anything else can run there."""
        self._places.renew_after_fork()
        self._ledger.renew()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        import asyncio  # noqa: PLC0415 - paid for by its users

        await asyncio.to_thread(self.shutdown)


def refuse_all(attempts: Sequence[Attempt]) -> list[tuple[Attempt, str]]:
    return [(attempt, SHUT_DOWN) for attempt in attempts]


def _wait_for(bell: SimpleQueue[None], seconds: float) -> None:
    try:
        bell.get(timeout=min(seconds, LONGEST_WAIT))
    except Empty:
        return
