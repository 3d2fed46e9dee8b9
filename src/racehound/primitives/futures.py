"""What `concurrent.futures` needs to run under control.

Its executors and futures are exact on controlled threads, locks, conditions and queues. What is not: a lock
that keeps out the end of the interpreter, an order by object address, sets of futures, which are ordered by
address as well, and the workers of a forgotten executor, which are sent home at the moment the executor is
freed; here they stay and wait for work, which nobody can tell.
"""

# ruff: noqa: SLF001 - an executor keeps what is used here in attributes of its own

import builtins
import threading
import weakref
from concurrent.futures import Future, ThreadPoolExecutor, _base, thread
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Abort
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.primitives import queue
from racehound.primitives.brief_lock import BriefLock
from racehound.primitives.lock import ControlledLock
from racehound.primitives.replacement import Replacement
from racehound.primitives.serial import numbered

_add_done_callback = Future.add_done_callback
_submit = ThreadPoolExecutor.submit
_worker = thread._worker
_new_pool_name = ThreadPoolExecutor._counter  # type: ignore[attr-defined]  # numbers the executors


def address(subject: object) -> int:
    """In place of `id`: the number of the object in the execution."""
    execution = CONTROL.in_charge()
    return builtins.id(subject) if execution is None else execution.number(subject)


def submit(self: Any, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """An executor that was made before it was under control gets threads that are."""
    if CONTROL.in_charge() is not None and isinstance(self._work_queue, queue.ORIGINAL):
        self._work_queue = queue.ControlledSimpleQueue()
        self._shutdown_lock = ControlledLock()
        self._idle_semaphore = threading.Semaphore(0)
        self._threads = set()
    return _submit(self, CONTROL.published(function), *args, **kwargs)


def with_brief_lock(make: Any) -> Any:
    """A future whose methods take one step each."""

    def init(self: Any) -> None:
        make(self)
        self._condition = threading.Condition(BriefLock())  # type: ignore[arg-type]  # a stand-in

    return init


def looking(ask: Any) -> Any:
    """A question about the state of a future, which changes nothing."""

    def answer(self: Any) -> object:
        lock = self._condition._lock
        with lock.held_to_look() if isinstance(lock, BriefLock) else nullcontext():
            return ask(self)

    return answer


def add_done_callback(self: Any, function: Any) -> None:
    _add_done_callback(self, CONTROL.published(function))


def new_pool_number() -> int:
    """Executors are numbered from zero in every execution; who makes the first is a matter of choice."""
    execution = CONTROL.in_charge()
    if execution is None:
        return next(CONTROL.pool_names) if CONTROL.sets_up() else int(_new_pool_name())
    names = execution.number_of(("names of executors",))
    execution.step(Operation(Kind.WRITE, (Effect(names, WHOLE, writes=True),), site=CONTROL.site))
    return next(execution.pool_names)


def serve(executor_of: Any, work: Any, initializer: Any, arguments: tuple[object, ...]) -> None:
    """What the thread of a pool does; the original's form differs between versions of Python."""
    if CONTROL.in_charge() is None:
        _worker(executor_of, work, initializer, arguments)
        return
    if initializer is not None and not _initialize(executor_of, initializer, arguments):
        return
    while (item := work.take_work()) is not None:
        item.run()
        del item
        executor = executor_of()
        if executor is not None:
            executor._idle_semaphore.release()
        del executor
    work.put(None)  # the pool is closed: let the others know


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
    del callback
    return weakref.ref(executor)


_QUESTIONS: Final = ("done", "cancelled", "running")
_made, _hashed = numbered(Future)
REPLACEMENTS: Final = (
    Replacement(thread, "_worker", serve),
    Replacement(thread, "weakref", SimpleNamespace(ref=reference)),
    Replacement(thread, "_global_shutdown_lock", nullcontext()),
    Replacement(_base, "id", address),
    *(_made._replace(stand_in=with_brief_lock(_made.stand_in)), _hashed),
    *(Replacement(Future, question, looking(getattr(Future, question))) for question in _QUESTIONS),
    Replacement(Future, "add_done_callback", add_done_callback),
    Replacement(ThreadPoolExecutor, "submit", submit),
    Replacement(ThreadPoolExecutor, "_counter", staticmethod(new_pool_number)),
)
