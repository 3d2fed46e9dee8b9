"""Runs that nobody waits for any more and that have not come back."""

from __future__ import annotations

import logging
import os
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from racehound.guard.executor.outcome import Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from racehound.guard.executor.attempt import Attempt
    from racehound.guard.executor.outcome import Outcome
    from racehound.guard.executor.pool import Worker

_LIBRARY = os.__file__.removesuffix("os.py")
_OURS = __file__.removesuffix("executor/stragglers.py")

log = logging.getLogger("racehound.guard.executor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Straggler:
    """A strategy that was given up and still runs.

    `status` says why (`timed_out` or `cancelled`), `seconds` how long it has been running, `where` the line it
    is at outside of the standard library and of guard, as `file:line in function`; empty if it cannot be seen
    from here.
    """

    strategy: str
    status: Status
    seconds: float
    thread: str
    where: str


class Stragglers:
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.renew()

    def renew(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[Attempt, Worker | None] = {}
        self.late: dict[str, int] = {}

    def is_full(self, name: str) -> bool:
        if not self._running:
            return False
        with self._lock:
            return sum(attempt.name == name for attempt in self._running) >= self.limit

    def left_behind(self, attempt: Attempt) -> None:
        """Called within the lock of the round, so that the return cannot be noted before this is."""
        with self._lock:
            self._running[attempt] = None

    def release_worker(self, attempt: Attempt) -> None:
        worker = attempt.round.pool.give_up(attempt)
        with self._lock:
            still_there = attempt in self._running
            if still_there:
                self._running[attempt] = worker
        if still_there and attempt.outcome is not None and attempt.outcome.status is Status.TIMED_OUT:
            log.warning("%s; it still runs, and its place was given to others", attempt.outcome.error)

    def came_back(self, attempt: Attempt, outcome: Outcome[Any] | None) -> None:
        """A late result is stale: it is noted here and goes nowhere else."""
        with self._lock:
            self._running.pop(attempt, None)
            if outcome is not None:
                self.late[attempt.name] = self.late.get(attempt.name, 0) + 1
        if outcome is not None:
            log.info("%s came back late: %s", attempt.name, outcome.status, exc_info=outcome.error)

    def report(self) -> tuple[Straggler, ...]:
        with self._lock:
            running = list(self._running.items())
        frames = sys._current_frames()  # noqa: SLF001 - the documented way to see where threads are
        return tuple(_describe(attempt, worker, frames) for attempt, worker in running)


def _describe(attempt: Attempt, worker: Worker | None, frames: dict[int, FrameType]) -> Straggler:
    if attempt.task is not None:
        stack = _awaiting_frames(attempt.task.get_coro())
    else:
        stack = _calling_frames(frames.get(worker.ident or 0) if worker is not None else None)
    return Straggler(
        strategy=attempt.name,
        status=Status.CANCELLED if attempt.outcome is None else attempt.outcome.status,
        seconds=attempt.elapsed(),
        thread="" if worker is None else worker.name,
        where=next((_line(frame) for frame in stack if not _is_library(frame)), ""),
    )


def _calling_frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _awaiting_frames(coroutine: object) -> Iterator[FrameType]:
    """From the innermost await outwards, as far in as coroutines reach."""
    frames: list[FrameType] = []
    while (frame := getattr(coroutine, "cr_frame", None)) is not None:
        frames.append(frame)
        coroutine = getattr(coroutine, "cr_await", None)
    return reversed(frames)


def _is_library(frame: FrameType) -> bool:
    path = frame.f_code.co_filename
    return path.startswith(_OURS) or (path.startswith(_LIBRARY) and "site-packages" not in path)


def _line(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"
