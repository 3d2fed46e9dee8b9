"""`threading.Thread` and `threading.Timer`: threads that the code starts become tasks.

The methods of the class are exchanged rather than the class, so that names bound earlier and classes derived
from it follow. A Thread that nobody controls keeps its own behaviour.
"""

# ruff: noqa: SLF001 - a Thread keeps what is exchanged here in attributes of its own

import _thread
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Abort, Execution, Task
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.errors import HarnessError
from racehound.primitives.clock import wake_up
from racehound.primitives.replacement import Replacement
from racehound.primitives.serial import numbered

LIST_OF_THREADS = "the code asks which threads there are, and is shown those of the search itself"

SERVES: Final = "_racehound_serves"
"""Attribute of a function with which a thread works for others."""

_TASK: Final = "_racehound_task"
_start = threading.Thread.start
_join = threading.Thread.join
_is_alive = threading.Thread.is_alive
_newname: Callable[[str], str] = threading._newname  # type: ignore[attr-defined]
_enumerate = threading.enumerate
_active_count = threading.active_count
_start_new_thread = _thread.start_new_thread
_timer_run = threading.Timer.run


def task_of(thread: threading.Thread) -> Task | None:
    """The task that a Thread is, if it was started under control."""
    task: Task | None = vars(thread).get(_TASK)
    return task


def start(self: Any) -> None:
    execution = CONTROL.in_charge()
    if execution is None:
        _start(self)
        return
    if not getattr(self, "_initialized", False):
        raise RuntimeError("thread.__init__() not called")
    _check_fresh(self)
    serves = hasattr(getattr(self, "_target", None), SERVES)
    if getattr(self, "_target", None) is not None:
        self._target = CONTROL.published(self._target)
    execution.step(Operation(Kind.SPAWN, execution.effects_of_spawning(self), site=CONTROL.site))
    _check_fresh(self)
    set_going(execution, self, serves=serves)


def _check_fresh(thread: Any) -> None:
    if thread._started._flag:
        raise RuntimeError("threads can only be started once")


def _look(execution: Execution, thread: threading.Thread) -> Task | None:
    """Ask how it is with a thread, which another task may be about to start."""
    execution.step(Operation(Kind.CHECK, (_life(execution, thread, writes=False),), site=CONTROL.site))
    return task_of(thread)


def set_going(execution: Execution, thread: Any, *, serves: bool) -> None:
    """Make a task of a thread, in the step that has been published."""
    thread._started._flag = True
    _look_stopped(thread)
    task = execution.spawn(lambda: _live(execution, thread), thread, daemon=thread.daemon, serves=serves)
    setattr(thread, _TASK, task)
    thread._ident = task.carrier.ident


def start_new_thread(
    function: Callable[..., object], args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, /
) -> int:
    """A thread without an object, for whose end nobody can wait."""
    if CONTROL.in_charge() is None:
        return _start_new_thread(function, args, kwargs or {})
    thread = threading.Thread(target=function, args=args, kwargs=kwargs, name="thread", daemon=True)
    thread.start()
    return thread.ident or 0


def _look_stopped(thread: Any) -> None:
    """For those who ask the original methods when control has ended."""
    if sys.version_info >= (3, 13):  # pragma: needs Python 3.13
        thread._handle = _thread._make_thread_handle(0)
        thread._handle._set_done()
    else:
        thread._is_stopped = True


def _live(execution: Execution, thread: threading.Thread) -> None:
    task: Task = vars(thread)[_TASK]
    carrier = task.carrier
    carrier.appear_as(thread)
    try:
        _run(execution, task, thread)
        execution.step(Operation(Kind.FINISH, (_life(execution, thread, writes=True),), label=thread.name))
    finally:
        carrier.appear_as(carrier.thread)


def _run(execution: Execution, task: Task, thread: threading.Thread) -> None:
    try:
        thread.run()
    except Abort:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever the code under proof raises is its result
        if execution.aborting:
            return  # what comes of unwinding is not the program's doing
        task.error = None if isinstance(error, SystemExit) else error
        if threading.excepthook is not CONTROL.excepthook:  # which only tells a person
            threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, thread)))


def _life(execution: Execution, thread: threading.Thread, *, writes: bool) -> Effect:
    return Effect(execution.number(thread), WHOLE, writes)


def join(self: Any, timeout: float | None = None) -> None:
    task = task_of(self)
    execution = CONTROL.in_charge()
    if execution is None:
        if task is None:
            _join(self, timeout)
        return
    if not self._started._flag:
        task = _look(execution, self)
    if not self._started._flag:
        raise RuntimeError("cannot join thread before it is started")
    if self is threading.current_thread():
        raise RuntimeError("cannot join current thread")
    if task is None:
        execution.give_up(HarnessError(f"the code waits for the thread {self.name}, which is not under control"))
    execution.step(
        Operation(
            Kind.JOIN,
            (_life(execution, self, writes=False),),
            site=CONTROL.site,
            label=self.name,
            ready=lambda: task.done,
            deadline=None if timeout is None else execution.after(max(timeout, 0)),
        )
    )


def is_alive(self: Any) -> bool:
    execution = CONTROL.in_charge()
    task = task_of(self) if execution is None else _look(execution, self)
    return _is_alive(self) if task is None else not task.done


def newname(template: str = "Thread-%d") -> str:
    """Names count from one in every execution; who is first to make a thread is a matter of choice."""
    execution = CONTROL.in_charge()
    if execution is None:
        return template % next(CONTROL.thread_names) if CONTROL.sets_up() else _newname(template)
    names = execution.number_of(("names of threads",))
    execution.step(Operation(Kind.WRITE, (Effect(names, WHOLE, writes=True),), site=CONTROL.site))
    return template % next(execution.thread_names)


def timer_run(self: Any) -> None:
    """Time passes when it likes: the timer may go off at any moment."""
    execution = CONTROL.in_charge()
    if execution is None:
        _timer_run(self)
        return
    flag = Effect(execution.number(self.finished), WHOLE, writes=False)
    execution.step(Operation(Kind.CHECK, (flag,), label="timer"))
    wake_up(execution, execution.now + self.interval)
    if not self.finished._flag:
        CONTROL.published(self.function)(*self.args, **self.kwargs)
    self.finished.set()


def list_threads() -> list[threading.Thread]:
    execution = CONTROL.in_charge()
    if execution is not None:
        execution.caveat(LIST_OF_THREADS)
    return _enumerate()


def count_threads() -> int:
    execution = CONTROL.in_charge()
    if execution is not None:
        execution.caveat(LIST_OF_THREADS)
    return _active_count()


REPLACEMENTS: Final = (
    *numbered(threading.Thread),
    Replacement(threading.Thread, "start", start),
    Replacement(threading.Thread, "join", join),
    Replacement(threading.Thread, "is_alive", is_alive),
    Replacement(threading, "_newname", newname),
    Replacement(threading, "enumerate", list_threads),
    Replacement(threading, "active_count", count_threads),
    Replacement(threading.Timer, "run", timer_run),
    Replacement(_thread, "start_new_thread", start_new_thread),
)
