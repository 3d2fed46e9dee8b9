"""What goes wrong with strategies on a bare thread pool, as cases that any way of fanning out can be put to.

A way of fanning out takes functions by name and answers, within the seconds given, with the value or the error of
each. A case says whether it holds. The tests put them to the executor, the benchmark to a bare pool as well.
"""

import contextvars
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol

from racehound.guard import ParallelStrategyExecutor

Functions = Mapping[str, Callable[[], Any]]
GRACE = 0.25  # seconds; long beside anything that works, short beside a hang


class FanOut(Protocol):
    def __call__(self, functions: Functions, seconds: float, /) -> Mapping[str, Any]: ...


Way = Callable[[int], Any]


@contextmanager
def bare_pool(workers: int) -> Iterator[FanOut]:
    """As most programs do it: one pool, submit, results in order."""
    pool = ThreadPoolExecutor(workers)

    def fan_out(functions: Functions, seconds: float, /) -> Mapping[str, Any]:
        futures = {name: pool.submit(function) for name, function in functions.items()}
        return {name: future.result(seconds) for name, future in futures.items()}

    try:
        yield fan_out
    finally:
        pool.shutdown()


@contextmanager
def strategy_executor(workers: int) -> Iterator[FanOut]:
    """Ours, with the functions as the argument, since they differ from round to round."""
    slots = {str(slot): lambda functions, slot=slot: functions[slot]() for slot in range(3)}
    executor = ParallelStrategyExecutor(slots, workers)

    def fan_out(functions: Functions, seconds: float, /) -> Mapping[str, Any]:
        padded = [*functions.values(), *[lambda: None] * (len(slots) - len(functions))]
        outcomes = executor.run(padded, timeout=seconds)
        return {
            name: outcomes[str(slot)].value or outcomes[str(slot)].error for slot, name in enumerate(functions)
        }

    with executor:
        yield fan_out


def pool_in_pool_does_not_deadlock(way: Way) -> bool:
    with way(1) as fan_out:

        def nested() -> Any:
            try:
                return fan_out({"inner": lambda: "done"}, GRACE)["inner"]
            except TimeoutError:
                return "deadlock"

        return bool(fan_out({"outer": nested}, 10 * GRACE)["outer"] == "done")


def timeout_leaves_no_worker_busy(way: Way) -> bool:
    release = threading.Event()
    with way(1) as fan_out:
        try:
            _quietly(fan_out, {"hang": release.wait}, GRACE / 5)
            return _quietly(fan_out, {"next": lambda: "done"}, GRACE).get("next") == "done"
        finally:
            release.set()


def context_reaches_the_workers(way: Way) -> bool:
    variable = contextvars.ContextVar("variable", default="lost")
    variable.set("kept")
    with way(1) as fan_out:
        return bool(fan_out({"read": variable.get}, 10 * GRACE)["read"] == "kept")


def no_exception_hides_another_result(way: Way) -> bool:
    def fail() -> None:
        raise LookupError("first")

    with way(2) as fan_out:
        found = _quietly(fan_out, {"bad": fail, "good": lambda: "done"}, 10 * GRACE)
    return isinstance(found.get("bad"), LookupError) and found.get("good") == "done"


def _quietly(fan_out: FanOut, functions: Functions, seconds: float) -> Mapping[str, Any]:
    """What can be had; nothing if the way of fanning out raises instead of answering."""
    try:
        return fan_out(functions, seconds)
    except (TimeoutError, LookupError):
        return {}


CASES: dict[str, Callable[[Way], bool]] = {
    "E17 pool in pool": pool_in_pool_does_not_deadlock,
    "E18 timeout leaves the worker busy": timeout_leaves_no_worker_busy,
    "E19 context lost": context_reaches_the_workers,
    "E20 exception or result lost": no_exception_hides_another_result,
}
