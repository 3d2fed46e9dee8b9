"""Where the attempts of an executor run: its worker threads, an event loop, somebody else's pool."""

from __future__ import annotations

import threading
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from racehound.guard.executor.pool import WorkerPool
from racehound.guard.executor.stragglers import Stragglers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from racehound.guard.executor.attempt import Attempt
    from racehound.guard.executor.limits import Limits
    from racehound.guard.executor.loops import Loops
    from racehound.guard.executor.remote import ExecutorSource, Remote

    Starter = Callable[[Sequence[Attempt]], None]


SHUT_DOWN = "the executor was shut down"


class Places:
    def __init__(self, name: str, workers: int, limits: Limits, executor: ExecutorSource | None) -> None:
        self._name = name
        self._pool = WorkerPool(workers, queue_limit=limits.queue, name=name)
        self._inner_pool = WorkerPool(workers, queue_limit=limits.queue, name=f"{name}-inner")
        self.stragglers = Stragglers(limits.stragglers)
        self._loops: Loops | None = None
        self._remote = _remote(executor, workers)
        self._lock = threading.Lock()

    def renew_after_fork(self) -> None:
        self._lock = threading.Lock()
        self._pool.renew()
        self._inner_pool.renew()
        self.stragglers.renew()
        if self._loops is not None:
            self._loops.disown()
        if self._remote is not None:
            self._remote.disown()

    def launch(self, start_coroutines: Starter, attempts: Sequence[Attempt]) -> list[tuple[Attempt, str]]:
        refused: list[tuple[Attempt, str]] = []
        plain: list[Attempt] = []
        coroutines: list[Attempt] = []
        for attempt in attempts:
            if self.stragglers.is_full(attempt.name):
                refused.append((attempt, f"{self.stragglers.limit} earlier runs of it have not come back"))
            elif attempt.strategy.asynchronous:
                coroutines.append(attempt)
            else:
                plain.append(attempt)
        if coroutines:
            start_coroutines(coroutines)
        return refused + self._queue(plain)

    def pool_for(self, outer: Attempt | None) -> WorkerPool:
        """The workers for a round within that attempt.

        Where functions run on somebody else's pool, rounds within strategies stay here, on workers that never
        wait for that pool: the strategies that wait for those rounds may fill it.
        """
        return self._inner_pool if self._remote is not None and self.is_inside(outer) else self._pool

    def _queue(self, attempts: list[Attempt]) -> list[tuple[Attempt, str]]:
        if not attempts:
            return []
        pool = attempts[0].round.pool
        if self._remote is not None and pool is self._pool:
            for attempt in attempts:
                attempt.call = partial(self._remote.call, attempt)
        accepted = pool.submit(attempts)
        reason = SHUT_DOWN if pool.closed else "no worker is free and the queue is full"
        return [(attempt, reason) for attempt in attempts[accepted:]]

    def is_inside(self, outer: Attempt | None) -> bool:
        while outer is not None and outer.round.places is not self:
            outer = outer.round.terms.outer
        return outer is not None

    def start_on_own_loop(self, attempts: Sequence[Attempt]) -> None:
        from racehound.guard.executor.loops import Loops  # noqa: PLC0415 - asyncio is paid for by its users

        with self._lock:
            if self._loops is None:
                self._loops = Loops(self._name)
        self._loops.launch(attempts)

    def close(self) -> None:
        self._pool.close()
        self._inner_pool.close()
        if self._loops is not None:
            self._loops.close()
        if self._remote is not None:
            self._remote.close()

    def join(self, end: float) -> None:
        """Wait for threads to leave until the clock says `end`."""
        self._pool.join(end)
        self._inner_pool.join(end)
        if self._loops is not None:
            self._loops.join(max(0.0, end - monotonic()))


def start_on_running_loop(attempts: Sequence[Attempt]) -> None:
    from racehound.guard.executor.loops import start_here  # noqa: PLC0415 - as above

    start_here(attempts)


def _remote(executor: ExecutorSource | None, workers: int) -> Remote | None:
    if executor is None:
        return None
    from racehound.guard.executor.remote import Remote  # noqa: PLC0415 - seldom used

    return Remote(executor, workers)
