"""The answer of a child process, given in time whatever the code under proof does.

Code that waits for something outside holds its thread for ever, so another thread watches the clock. Neither
that thread nor what it calls is ever under control.
"""

import _thread
import os
import resource
import time
from pathlib import Path
from typing import TYPE_CHECKING

from racehound.model.proof import Proof, Verdict
from racehound.scenario.limits import say_late
from racehound.scenario.request import proof_to_json

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 0.8
"""Seconds beyond the budget in which a search that is at work can come to its end."""
SHORT_PATIENCE = 0.3
"""The same where nothing has happened for a while."""
WHILE = 0.5
MUCH = 512
"""Megabytes that are worth being named."""

_sleep = time.sleep


class Answer:
    """A file that is written once, by whoever comes first, and by this process alone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process = os.getpid()
        self._turn = _thread.allocate_lock()

    def announce(self) -> None:
        """Say that it comes soon."""
        say_late(self._path)

    def give(self, proof: Proof) -> None:
        """Write the proof and end the process, without unwinding."""
        self._turn.acquire()
        if os.getpid() == self._process:  # the code may have forked
            unfinished = self._path.with_suffix(".part")
            unfinished.write_text(proof_to_json(proof), encoding="utf-8")
            unfinished.rename(self._path)
        os._exit(0)


class Progress:
    """What the watching thread can see of the work."""

    def __init__(self, seconds: float, *, left: float | None = None) -> None:
        self._end = time.monotonic() + (seconds if left is None else left)
        self._seconds = seconds
        self.stage = "the code"
        """What is at work now."""
        self.executions: Callable[[], int] = int
        self.race: Callable[[], Proof | None] = lambda: None
        """A race that was found already."""
        self.has_raced: Callable[[], bool] = bool
        """Whether there was anything to find one in."""

    @property
    def left(self) -> float:
        """Seconds of the budget that are left for the search; never nothing."""
        return max(self._end - time.monotonic(), 0.1 * self._seconds)

    def conclude(self, *, is_at_work: bool) -> Proof:
        """What can be said when the time is over."""
        found, executions = self.race(), self.executions()
        if found is not None:
            return found
        if is_at_work and self.has_raced():
            reason = f"the budget ended after {executions} executions without a failure"
            return Proof(verdict=Verdict.SAMPLED, reason=reason, executions=executions)
        reason = f"{self.stage} did not come to an end within {self._seconds:.3g} seconds"
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        cause = "it may wait for something outside, or need more time"
        if megabytes > MUCH:
            cause = f"it had taken {megabytes} MB of memory by then, and may allocate without end"
        return Proof(verdict=Verdict.INCONCLUSIVE, reason=f"{reason}: {cause}", executions=executions)


def watch(answer: Answer, progress: Progress, seconds: float) -> None:
    """Give an answer when the budget is over and the search does not come to its end."""

    def look() -> None:
        _sleep(max(seconds - WHILE, 0.0))
        answer.announce()
        before = progress.executions()
        _sleep(min(seconds, WHILE))
        is_moving = progress.executions() > before or progress.race() is not None
        _sleep(PATIENCE if is_moving else SHORT_PATIENCE)
        answer.give(progress.conclude(is_at_work=progress.executions() > before))

    _thread.start_new_thread(look, ())
