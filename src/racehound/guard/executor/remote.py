"""Plain functions on somebody else's pool: processes, loky, a dask cluster, any `concurrent.futures.Executor`.

A worker thread of ours hands the function over and waits for it. So everything that is decided here (permits,
deadlines, modes, who is left behind) holds for every pool, breakers stay on this side, and the other side needs
nothing but the strategy itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any

from racehound.guard.executor.attempt import Refusal

if TYPE_CHECKING:
    from concurrent.futures import Future
    from contextvars import Context

    from racehound.guard.executor.attempt import Attempt

ExecutorSource = Executor | Callable[[], Executor]


class Errand:
    """A call that keeps the caller's context in this process and leaves it behind when it is pickled."""

    def __init__(self, function: Callable[..., Any], args: tuple[object, ...]) -> None:
        self._function = function
        self._args = args
        self._context: Context = copy_context()

    def __call__(self) -> object:
        return self._context.run(self._function, *self._args)

    def __reduce__(self) -> tuple[type[partial[Any]], tuple[object, ...]]:
        return partial, (self._function, *self._args)


class Remote:
    """The pool of somebody else. Given as a function that makes one, it is replaced when it breaks."""

    def __init__(self, source: ExecutorSource, workers: int) -> None:
        self._make = None if isinstance(source, Executor) else source
        self._given = source if isinstance(source, Executor) else None
        self._workers = workers
        self.renew()

    def renew(self) -> None:
        self._lock = threading.RLock()  # reentrant for the same reason as that of the pool
        self._pool = self._given
        self._overdue: set[Future[Any]] = set()  # given up, not cancellable: each holds a worker over there
        self._out_of_reach = False

    def disown(self) -> None:
        """In a forked child: the threads that serve the pool stayed in the parent."""
        self.renew()
        self._out_of_reach = self._given is not None

    def call(self, attempt: Attempt, *args: object) -> object:
        pool, future = self._submit(Errand(attempt.strategy.function, args))
        attempt.when_given_up(partial(self._recall, pool, future))
        try:
            return future.result()
        except BrokenExecutor:
            self._replace(pool)
            raise

    def _submit(self, errand: Errand) -> tuple[Executor, Future[Any]]:
        pool = self._usable()
        try:
            return pool, pool.submit(errand)
        except BrokenExecutor:
            if self._make is None:
                raise
            self._replace(pool)
            pool = self._usable()
            return pool, pool.submit(errand)
        except RuntimeError as error:
            raise Refusal("the pool it was to run on takes no more work") from error

    def _usable(self) -> Executor:
        with self._lock:
            if self._out_of_reach:
                raise Refusal("its pool belongs to the parent process: give a function that makes a pool")
            if len(self._overdue) >= self._workers:
                self._start_over()
            if self._pool is None:
                assert self._make is not None  # noqa: S101 - a given pool is replaced by nothing
                self._pool = self._make()
            return self._pool

    def _start_over(self) -> None:
        if self._make is None:
            raise Refusal("every worker of its pool is held by a strategy that never came back")
        self._drop()

    def _drop(self) -> None:
        if self._pool is not None:
            _dismiss(self._pool)
        self._pool = None
        self._overdue = set()

    def _recall(self, pool: Executor, future: Future[Any]) -> None:
        if future.cancel():
            return
        with self._lock:
            if pool is self._pool:
                self._overdue.add(future)
        future.add_done_callback(self._overdue.discard)

    def _replace(self, broken: Executor) -> None:
        with self._lock:
            if self._make is not None and self._pool is broken:
                self._drop()

    def close(self) -> None:
        """Only what was made here is shut down here."""
        with self._lock:
            if self._make is not None:
                self._drop()


def _dismiss(pool: Executor) -> None:
    """Workers that hang would keep the interpreter from ending where the pool cannot kill them."""
    kill = getattr(pool, "kill_workers", None)  # process pools from Python 3.14 on
    if kill is not None:
        kill()
    else:
        pool.shutdown(wait=False)
