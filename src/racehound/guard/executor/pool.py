"""Worker threads that a hang cannot use up.

`ThreadPoolExecutor` counts a worker that never comes back among its own for ever. Here the side that stops
waiting says so (`give_up`), and the pool stops counting that worker: the next job gets a new one, and the lost
worker leaves as soon as its job returns. A worker that waits for other jobs of its pool widens the pool for as
long (`widen`), so that no nesting of rounds can deadlock.

Threads are daemons: a hang must not keep the interpreter from ending.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

log = logging.getLogger("racehound.guard.executor")


class Job(Protocol):
    def perform(self) -> None: ...


class Worker(threading.Thread):
    """A thread and the job it is at."""

    job: Job | None = None
    lost = False  # no longer counted by the pool; set under its lock


class WorkerPool:
    def __init__(self, size: int, *, queue_limit: int | None, name: str) -> None:
        self._size = size
        self._queue_limit = queue_limit
        self._name = name
        self._numbers = itertools.count(1)
        self.closed = False
        self.renew()

    def renew(self) -> None:
        """Start from nothing: in a forked child neither the threads nor the state of the locks survive."""
        # Reentrant: the collector may close a forgotten pool from within any allocation, also one made below.
        self._lock = threading.RLock()
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._workers: set[Worker] = set()
        self._lost: set[Worker] = set()
        self._limit = self._size
        self._outstanding = 0  # jobs queued or under way; kept only where the queue is limited
        # Never more than the workers that wait minus the jobs they wait for. Less only starts a thread early;
        # more would leave a job without a worker.
        self._idle = 0

    def submit(self, jobs: Sequence[Job]) -> int:
        """Queue the jobs in order; returns how many there was room for."""
        with self._lock:
            room = self._room_for(len(jobs))
            for accepted, job in enumerate(jobs[:room]):
                if self._idle:
                    self._idle -= 1
                elif not self._hire():
                    return accepted
                self._jobs.put(job)
                self._outstanding += 1
            return room

    def _room_for(self, wanted: int) -> int:
        if self.closed:
            return 0
        if self._queue_limit is None:
            return wanted
        return max(0, min(wanted, self._queue_limit + self._limit - self._outstanding))

    def _hire(self) -> bool:
        """Add a worker if there may be one more; whether there is any worker at all."""
        if len(self._workers) < self._limit:
            worker = Worker(target=self._work, name=f"{self._name}-{next(self._numbers)}", daemon=True)
            try:
                self._workers.add(worker)
                worker.start()
            except RuntimeError:  # no more threads, or the interpreter is ending
                self._workers.discard(worker)
            except BaseException:  # of a signal handler: whether there is a thread now, only itself can say
                self._workers.discard(worker)
                raise
        return bool(self._workers)

    def _report(self, worker: Worker) -> None:
        """Count a worker that has started although its start was interrupted; one that comes too late leaves."""
        with self._lock:
            if worker not in self._workers:
                worker.lost = self.closed
                (self._lost if worker.lost else self._workers).add(worker)

    def _work(self) -> None:
        worker = threading.current_thread()
        assert isinstance(worker, Worker)  # noqa: S101 - tells the type checker what `_hire` made
        self._report(worker)
        while (job := self._next_job(worker)) is not None:
            worker.job = job
            try:
                job.perform()
            except BaseException:
                log.exception("%s could not record what became of its job", worker.name)
            worker.job = job = None
            if self._queue_limit is not None and not worker.lost:
                self._count_off()

    def _next_job(self, worker: Worker) -> Job | None:
        """The lock is taken only before idling: a busy worker does not queue up behind those that submit."""
        if worker.lost or len(self._workers) > self._limit:
            self._dismiss(worker)
            return None
        if self._jobs.empty():
            with self._lock:  # jobs are put under it too: one that is meant for this worker is seen here
                self._idle += self._jobs.empty()
        return self._jobs.get()

    def _dismiss(self, worker: Worker) -> None:
        with self._lock:
            self._workers.discard(worker)
            self._lost.discard(worker)
            self._replace()

    def _count_off(self) -> None:
        with self._lock:
            self._outstanding -= 1

    def give_up(self, job: Job) -> Worker | None:
        """Stop counting the worker that is at the job; `None` if it has come back meanwhile."""
        with self._lock:
            for worker in self._workers:
                if worker.job is job:
                    worker.lost = True
                    self._outstanding -= 1
                    self._workers.discard(worker)
                    self._lost.add(worker)
                    self._replace()
                    return worker
        return None

    def _replace(self) -> None:
        if not self.closed and not self._jobs.empty():
            self._hire()

    @contextmanager
    def widened(self) -> Iterator[None]:
        """One worker more while the block runs: for a worker that waits inside it."""
        with self._lock:
            self._limit += 1
        try:
            yield
        finally:
            with self._lock:
                self._limit -= 1

    def close(self) -> None:
        """Take no more jobs and let every worker leave once the queued ones are done."""
        with self._lock:
            if not self.closed:
                self.closed = True
                for _ in self._workers:
                    self._jobs.put(None)

    def join(self, end: float) -> None:
        """Wait for the workers to leave until the clock says `end`."""
        with self._lock:
            leaving = self._workers | self._lost
        for worker in leaving - {threading.current_thread()}:
            worker.join(max(0.0, end - time.monotonic()))
