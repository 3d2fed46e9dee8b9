"""Strategies and situations for the executor, shared by pytest, Robot Framework and child processes.

The strategies are functions of this module, so that they can be pickled. Nothing here sleeps: a strategy that is
to hang waits at a gate, and opening the gate lets it go.
"""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from racehound.guard import CircuitBreaker, Outcome, ParallelStrategyExecutor

Strategies = dict[str, Any]  # functions and Strategy values side by side
Outcomes = Mapping[str, Outcome[Any]]
PATIENCE = 45.0  # seconds after which a wait that should end at once has failed


def double(number: int) -> int:
    return 2 * number


def fail(number: int) -> int:
    raise ValueError(number)


def process_number(_: int) -> int:
    return os.getpid()


def end_the_process(_: int) -> int:
    os._exit(3)


def crash_once(path: str) -> str:
    """End the process in the first call; the file remembers it."""
    marker = Path(path)
    if not marker.exists():
        marker.touch()
        end_the_process(0)
    return path


async def double_later(number: int) -> int:
    return 2 * number


def wait_for_file(path: str) -> str:
    """Hang in another process until the file is there."""
    waiting = threading.Event()
    while not Path(path).exists():
        waiting.wait(0.01)
    return path


class Gate:
    """A strategy that hangs until it is let go; each arrival can be waited for."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self._arrivals = threading.Semaphore(0)
        self.departed = threading.Semaphore(0)

    def __call__(self, number: int = 0) -> int:
        self._arrivals.release()
        assert self._open.wait(PATIENCE)
        self.departed.release()
        return number

    def wait_for_arrival(self) -> bool:
        assert self._arrivals.acquire(timeout=PATIENCE)
        return True

    def wait_for_departure(self) -> bool:
        assert self.departed.acquire(timeout=PATIENCE)
        return True

    def open(self) -> bool:
        self._open.set()
        return True


@contextmanager
def gate() -> Iterator[Gate]:
    made = Gate()
    try:
        yield made
    finally:
        made.open()


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that another thread does in a moment and says nobody about."""
    turn = threading.Event()
    for _ in range(int(PATIENCE / 0.002)):
        if condition():
            return
        turn.wait(0.002)
    raise AssertionError("it never came true")


def statuses(outcomes: Outcomes) -> dict[str, str]:
    return {name: str(outcome.status) for name, outcome in outcomes.items()}


def rounds_on(pool: Executor) -> dict[str, Any]:
    """What three rounds on somebody else's pool came to, as plain values."""
    strategies: Strategies = {"double": double, "bad": fail, "where": process_number, "later": double_later}
    breaker = CircuitBreaker(failure_threshold=2)
    with ParallelStrategyExecutor(strategies, 2, breaker=breaker, executor=pool) as executor:
        first, _, third = (executor.run(4, timeout=PATIENCE) for _ in range(3))
    return {
        "first": statuses(first),
        "third": statuses(third),
        "values": [first["double"].value, first["later"].value],
        "error": type(first["bad"].error).__name__,
        "elsewhere": first["where"].value != os.getpid(),
    }


@contextmanager
def running(work: Callable[[], Any]) -> Iterator[Callable[[], Any]]:
    """The work under way in a thread of its own; the function handed out waits for what it returns."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        yield lambda: future.result(PATIENCE)


def pipelines(executor: ParallelStrategyExecutor, *, callers: int, rounds: int) -> list[Outcomes]:
    """Run rounds from several threads that all start at the same moment."""
    start = threading.Barrier(callers)

    def call(caller: int) -> list[Outcomes]:
        start.wait(PATIENCE)
        return [executor.run(caller * rounds + number, timeout=PATIENCE) for number in range(rounds)]

    with ThreadPoolExecutor(callers) as pool:
        return [outcomes for made in pool.map(call, range(callers)) for outcomes in made]


def tally(rounds: list[Outcomes]) -> Counter[tuple[str, str]]:
    return Counter((name, str(outcome.status)) for outcomes in rounds for name, outcome in outcomes.items())


def pipeline_with_shared_breaker(path: str, rounds: int) -> list[dict[str, str]]:
    """For a process of its own: rounds whose breaker shares its state through the file."""
    from racehound.guard import SqliteBreakerStore  # noqa: PLC0415 - only for those who share

    with closing(SqliteBreakerStore(path)) as store:
        breaker = CircuitBreaker(failure_threshold=10**6, store=store)
        with ParallelStrategyExecutor({"good": double, "bad": fail}, breaker=breaker) as executor:
            return [statuses(executor.run(number, timeout=PATIENCE)) for number in range(rounds)]


def shared_failures(path: str, name: str) -> int:
    from racehound.guard import SqliteBreakerStore  # noqa: PLC0415 - as above

    with closing(SqliteBreakerStore(path)) as store:
        return CircuitBreaker(store=store).failures(name)
