"""`time` without waiting: clocks that show the same in every execution, and sleep that takes no time.

Sleeping is no way to order tasks, so a task that sleeps can go on at any moment; when it does, the clocks have
moved on, to the very moment at which it wanted to wake up. They stand still otherwise. Who finds that this moment
is not late enough, and waits again for no time at all, lets a little time pass.
"""

import threading
import time
from _thread import get_ident
from typing import Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import START_OF_TIME, Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.engine.spin import CLOCK, SLEEP
from racehound.primitives.replacement import Replacement

EPOCH: Final = 1_700_000_000.0
"""What `time.time` shows when an execution begins."""

_sleep = time.sleep
_monotonic = time.monotonic
_perf_counter = time.perf_counter
_time = time.time
_monotonic_ns = time.monotonic_ns
_perf_counter_ns = time.perf_counter_ns
_time_ns = time.time_ns


def sleep(seconds: float, /) -> None:
    execution = CONTROL.in_charge()
    if execution is None:
        _sleep(seconds)
        return
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    until = execution.after(seconds)
    nap = Operation(Kind.YIELD, (passing_of_time(execution),), site=CONTROL.site, label=SLEEP)
    execution.fall_asleep(nap, until)
    execution.step(nap)
    wake_up(execution, until)


def wake_up(execution: Execution, until: float) -> None:
    """The running task has slept until then at least."""
    task = execution.trace.tasks[execution.running]
    execution.now = execution.trace.wake_up(task, execution.now, until)


def passing_of_time(execution: Execution) -> Effect:
    """Sleepers do not mind each other, but who reads the clock minds all of them."""
    return Effect(execution.number_of(("clock",)), execution.running, writes=True)


def virtual_now() -> float | None:
    """The virtual time, or None for those whose time is the real one."""
    execution = CONTROL.in_charge()
    if execution is not None:
        return read_clock(execution)
    return CONTROL.now if get_ident() in (CONTROL.harness, CONTROL.ident) else None


def read_clock(execution: Execution) -> float:
    clock = Effect(execution.number_of(("clock",)), WHOLE, writes=False)
    execution.step(Operation(Kind.READ, (clock,), site=CONTROL.site, label=CLOCK))
    return execution.now


def waiting_clock() -> float:
    """For those who only work out how long to wait: their deadline is published with the wait itself."""
    execution = CONTROL.in_charge()
    return _monotonic() if execution is None else execution.now


def monotonic() -> float:
    now = virtual_now()
    return _monotonic() if now is None else now


def perf_counter() -> float:
    now = virtual_now()
    return _perf_counter() if now is None else now


def time_() -> float:
    now = virtual_now()
    return _time() if now is None else now - START_OF_TIME + EPOCH


def monotonic_ns() -> int:
    now = virtual_now()
    return _monotonic_ns() if now is None else int(now * 1e9)


def perf_counter_ns() -> int:
    now = virtual_now()
    return _perf_counter_ns() if now is None else int(now * 1e9)


def time_ns() -> int:
    now = virtual_now()
    return _time_ns() if now is None else int((now - START_OF_TIME + EPOCH) * 1e9)


REPLACEMENTS: Final = (
    Replacement(time, "sleep", sleep),
    Replacement(time, "monotonic", monotonic),
    Replacement(time, "perf_counter", perf_counter),
    Replacement(time, "time", time_),
    Replacement(time, "monotonic_ns", monotonic_ns),
    Replacement(time, "perf_counter_ns", perf_counter_ns),
    Replacement(time, "time_ns", time_ns),
    Replacement(threading, "_time", waiting_clock),
)
