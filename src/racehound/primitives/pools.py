"""`ThreadPoolExecutor`: giving a job, taking one and closing the pool take one step each.

Which worker does which job is a matter of names as long as no job leaves anything in its thread or asks who it is.
The original starts a worker for a job unless one is idle, and whether one is idle yet is left to time. So the
first jobs, as many as there may be workers, each have a worker of their own here: what can happen then is what can
happen when a worker does two of them, one after the other, and more. Later jobs wait for a worker, first come,
first served.

Where it does matter, the execution ends with `WorkersMatter`, and everything is run anew with `exact_pools`: the
workers of the original on controlled queues, semaphores and locks. So it is for pools whose workers have something
to do before they begin, and for classes that do it their own way.
"""

# ruff: noqa: SLF001 - an executor keeps what is used here in attributes of its own

import threading
import weakref
from collections import deque
from collections.abc import Hashable
from concurrent.futures import Future, ThreadPoolExecutor, thread
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Abort, Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.engine.trace import FOR_WORK
from racehound.engine.workers import tell_workers_apart
from racehound.primitives import queue
from racehound.primitives.belongings import leaving_nothing
from racehound.primitives.lock import ControlledLock
from racehound.primitives.replacement import Replacement
from racehound.primitives.thread import SERVES, set_going

MOST_OWN: Final = 16
"""Workers that are started whether they are needed or not."""

_JOBS: Final = "_racehound_jobs"
_GIVEN: Final = "given"
_TAKEN: Final = "taken"
_CLOSED: Final = "closed"

_make = ThreadPoolExecutor.__init__
_submit = ThreadPoolExecutor.submit
_shutdown = ThreadPoolExecutor.shutdown
_adjust = ThreadPoolExecutor._adjust_thread_count
_worker = thread._worker
_new_pool_name = ThreadPoolExecutor._counter  # type: ignore[attr-defined]  # numbers the executors


class Jobs:
    """What a pool has been given to do, and how much of it its workers have taken."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.given = 0
        self.taken = 0
        self.closed = False
        self._waiting: deque[Any] = deque()

    def is_free_for(self, number: int) -> bool:
        """Whether a job gets a worker of its own."""
        return number < self.workers

    def wait_for_worker(self, item: Any) -> None:
        self._waiting.append(item)

    def take(self) -> Any:
        """The next job; None when there will be none."""
        execution = CONTROL.in_charge()
        if execution is None:
            raise Abort
        operation = Operation(Kind.TAKE, (), CONTROL.site, label=FOR_WORK, ready=self._can_tell)
        operation.refresh = lambda: self._effects_of_taking(execution)
        operation.effects = operation.refresh()
        execution.step(operation)
        if not self._waiting:
            return None
        self.taken += 1
        return self._waiting.popleft()

    def _can_tell(self) -> bool:
        return self.closed or bool(self._waiting)

    def _effects_of_taking(self, execution: Execution) -> tuple[Effect, ...]:
        """Who goes home has only seen that nothing is left."""
        goes_home = self.closed and not self._waiting
        parts: dict[Hashable, bool] = {_TAKEN: not goes_home, self.workers + self.taken: not goes_home}
        return self.parts(execution, parts if self._waiting else parts | {_CLOSED: False})

    def parts(self, execution: Execution, parts: dict[Hashable, bool]) -> tuple[Effect, ...]:
        """Which parts are used, and whether they are changed; each job that waits is one by itself."""
        number = execution.number(self)
        return tuple(Effect(number, part, writes) for part, writes in parts.items())


class WorkQueue(queue.ControlledSimpleQueue):
    """Of a pool; whoever looks into it wants to see what the original keeps there."""

    def get(self, block: bool = True, timeout: float | None = None) -> object:  # noqa: FBT002 - the original's signature
        _be_exact()
        return super().get(block, timeout)

    def put(self, item: object, block: bool = True, timeout: float | None = None) -> None:  # noqa: FBT002 - the original's signature
        _be_exact()
        super().put(item, block, timeout)

    def qsize(self) -> int:
        _be_exact()
        return super().qsize()


def _be_exact() -> None:
    execution = CONTROL.in_charge()
    if execution is not None and not CONTROL.exact_pools:
        tell_workers_apart(execution, "the code looks into a pool")


def make(self: Any, *args: Any, **kwargs: Any) -> None:
    _make(self, *args, **kwargs)
    if _is_ordinary(self) and type(self._work_queue) is queue.ControlledSimpleQueue:
        self._work_queue = WorkQueue()


def _is_ordinary(pool: Any) -> bool:
    return pool._initializer is None and type(pool)._adjust_thread_count is _adjust


def jobs_of(pool: Any) -> Jobs | None:
    """None if it matters who does them."""
    execution = CONTROL.in_charge()
    if execution is None or execution.aborting or CONTROL.exact_pools or not _is_ordinary(pool):
        return None
    _bring_under_control(pool)
    if type(pool._work_queue) is not WorkQueue:
        return None
    jobs: Jobs = vars(pool).setdefault(_JOBS, Jobs(pool._max_workers))
    return jobs


def submit(self: Any, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    function, jobs, execution = CONTROL.published(function), jobs_of(self), CONTROL.in_charge()
    if jobs is None or execution is None:
        _bring_under_control(self)
        return _submit(self, function, *args, **kwargs)
    worker: Any = threading.Thread(name=self._thread_name_prefix, target=work)
    operation = Operation(Kind.SPAWN, (), CONTROL.site, label="pool")
    operation.refresh = lambda: _effects_of_giving(execution, jobs, worker)
    operation.effects = operation.refresh()
    execution.step(operation)
    number = jobs.given
    _check_open(self)
    if number >= MOST_OWN and jobs.is_free_for(number):
        tell_workers_apart(execution, "the code gives a large pool much to do")
    jobs.given += 1
    future: Future[Any] = Future()
    item = thread._WorkItem(future, function, args, kwargs)
    if jobs.is_free_for(number):
        worker._name, worker._args = f"{self._thread_name_prefix}_{number}", (jobs, item)
        set_going(execution, worker, serves=True)
        self._threads.add(worker)
    else:
        jobs.wait_for_worker(item)
    return future


def _effects_of_giving(execution: Execution, jobs: Jobs, worker: threading.Thread) -> tuple[Effect, ...]:
    parts: dict[Hashable, bool] = {_GIVEN: True, _CLOSED: False}
    if jobs.is_free_for(jobs.given):
        return jobs.parts(execution, parts) + execution.effects_of_spawning(worker)
    return jobs.parts(execution, parts | {jobs.given: True})


def _check_open(pool: Any) -> None:
    if pool._shutdown:
        raise RuntimeError("cannot schedule new futures after shutdown")


def _bring_under_control(pool: Any) -> None:
    """An executor that was made before it was under control gets threads that are."""
    if CONTROL.in_charge() is not None and isinstance(pool._work_queue, queue.ORIGINAL):
        pool._work_queue = WorkQueue()
        pool._shutdown_lock = ControlledLock()
        pool._idle_semaphore = threading.Semaphore(0)
        pool._threads = set()


def shutdown(self: Any, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT002 - the original's signature
    jobs, execution = jobs_of(self), CONTROL.in_charge()
    if jobs is None or execution is None:
        _shutdown(self, wait, cancel_futures=cancel_futures)
        return
    if cancel_futures:
        tell_workers_apart(execution, "the code takes jobs back from a pool")
    execution.step(Operation(Kind.NOTIFY, jobs.parts(execution, {_CLOSED: True}), CONTROL.site, label="pool"))
    self._shutdown = jobs.closed = True
    for worker in self._threads if wait else ():
        worker.join()


def work(jobs: Jobs, item: Any) -> None:
    """What a worker does that has a job of its own to begin with."""
    while item is not None:
        with leaving_nothing() if jobs.workers > 1 else nullcontext():
            item.run()
        del item
        item = jobs.take()


# -- exact pools -----------------------------------------------------------------------------------


def serve(executor_of: Any, work_queue: Any, initializer: Any, arguments: tuple[object, ...]) -> None:
    """What the thread of a pool does; the original's form differs between versions of Python."""
    if CONTROL.in_charge() is None:
        _worker(executor_of, work_queue, initializer, arguments)
        return
    if initializer is not None and not _initialize(executor_of, initializer, arguments):
        return
    while (item := work_queue.take_work()) is not None:
        item.run()
        del item
        executor = executor_of()
        if executor is not None:
            executor._idle_semaphore.release()
        del executor
    work_queue.put(None)  # the pool is closed: let the others know


setattr(serve, SERVES, True)


def _initialize(executor_of: Any, initializer: Any, arguments: tuple[object, ...]) -> bool:
    try:
        initializer(*arguments)
    except Abort:
        raise
    except BaseException:  # noqa: BLE001 - whatever the code under proof raises breaks the pool
        executor = executor_of()
        if executor is not None:
            executor._initializer_failed()
        return False
    return True


def reference(executor: object, callback: object = None) -> "weakref.ref[object]":
    """Without what the original does when the executor is freed: here its workers stay and wait for work."""
    del callback
    return weakref.ref(executor)


def new_pool_number() -> int:
    """Executors are numbered from zero in every execution.

    Who makes the first is a matter of choice, but only where somebody asks for names.
    """
    execution = CONTROL.in_charge()
    if execution is None:
        return next(CONTROL.pool_names) if CONTROL.sets_up() else int(_new_pool_name())
    if not CONTROL.exact_pools:
        return next(execution.pool_names)
    names = execution.number_of(("names of executors",))
    execution.step(Operation(Kind.WRITE, (Effect(names, WHOLE, writes=True),), site=CONTROL.site))
    return next(execution.pool_names)


REPLACEMENTS: Final = (
    Replacement(thread, "_worker", serve),
    Replacement(thread, "weakref", SimpleNamespace(ref=reference)),
    Replacement(thread, "_global_shutdown_lock", nullcontext()),
    Replacement(ThreadPoolExecutor, "__init__", make),
    Replacement(ThreadPoolExecutor, "submit", submit),
    Replacement(ThreadPoolExecutor, "shutdown", shutdown),
    Replacement(ThreadPoolExecutor, "_counter", staticmethod(new_pool_number)),
)
