"""Where coroutine functions run: the caller's event loop, or a loop in a thread of its own.

A round that is waited for with `await` starts its coroutines on the loop of the caller. A round that is waited
for in a thread uses the executor's own loop. A coroutine that blocks that loop would hold up all others, so a
loop that has not answered a cancellation takes no new coroutines: they go to a fresh loop, and the old one ends
once its tasks have.
"""

from __future__ import annotations

import asyncio
import math
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from racehound.guard.executor.attempt import Attempt
    from racehound.guard.executor.round import Round

_OUT_OF_REACH: list[asyncio.AbstractEventLoop] = []  # closing a loop inherited by fork would disturb the parent


class Bell:
    """Wakes a round that is awaited, from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._loop.call_soon_threadsafe(self._rung.set)

    async def wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(None if seconds == math.inf else seconds):
                await self._rung.wait()
        except TimeoutError:
            return
        self._rung.clear()


async def settle_aside(current: Round) -> None:
    """Give the verdicts on what was given up where waiting for a store holds nobody up."""
    owed = current.take_owed()
    if owed:
        from racehound.guard.breaker.offload import in_thread  # noqa: PLC0415 - only with a store

        await in_thread(lambda: [verdict() for verdict in owed])


def start_here(attempts: Sequence[Attempt]) -> None:
    """Start the coroutines on the running loop."""
    loop = asyncio.get_running_loop()
    for attempt in attempts:
        task = _start(loop, attempt)
        attempt.when_given_up(task.cancel)


def _start(loop: asyncio.AbstractEventLoop, attempt: Attempt) -> asyncio.Task[None]:
    """The attempt keeps its task alive: the loop itself would not."""
    attempt.task = loop.create_task(attempt.perform_on_loop(), name=attempt.name, context=attempt.context)
    return attempt.task


class LoopThread(threading.Thread):
    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.loop = asyncio.new_event_loop()
        self._unanswered: set[object] = set()  # cancellations on their way; set operations are atomic
        self._blocked = 0  # written by this thread alone
        self._retired = False
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        finally:
            self.loop.close()

    def launch(self, attempts: Sequence[Attempt]) -> None:
        self.loop.call_soon_threadsafe(self._launch, attempts)

    def _launch(self, attempts: Sequence[Attempt]) -> None:
        for attempt in attempts:
            if attempt.outcome is None:
                task = _start(self.loop, attempt)
                self._tasks.add(task)
                task.add_done_callback(self._done)
                attempt.when_given_up(lambda task=task: self._cancel(task))  # type: ignore[misc]  # bound at once

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._leave_if_idle()

    def _leave_if_idle(self) -> None:
        if self._retired and not self._tasks:
            self.loop.stop()

    def _cancel(self, task: asyncio.Task[None]) -> None:
        self._unanswered.add(task)
        try:
            self.loop.call_soon_threadsafe(self._answer, task)
        except RuntimeError:  # the loop is closed, so the task has ended
            self._unanswered.discard(task)

    def _answer(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        self._unanswered.discard(task)

    @property
    def is_responsive(self) -> bool:
        return not self._unanswered and not self._blocked

    @contextmanager
    def blocked(self) -> Iterator[None]:
        """While the block runs, a coroutine of this loop waits in it without awaiting."""
        self._blocked += 1
        try:
            yield
        finally:
            self._blocked -= 1

    def retire(self) -> None:
        """Take nothing new and end with the last task."""
        self._retired = True
        self.loop.call_soon_threadsafe(self._leave_if_idle)


class Loops:
    """The loop thread of an executor: started when first needed, replaced when it does not answer."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.renew()

    def renew(self) -> None:
        self._lock = threading.RLock()  # reentrant for the same reason as that of the pool
        self._thread: LoopThread | None = None
        self._leaving: LoopThread | None = None

    def disown(self) -> None:
        """In a forked child: forget the loop of the parent without touching it."""
        if self._thread is not None:
            _OUT_OF_REACH.append(self._thread.loop)
        self.renew()

    def launch(self, attempts: Sequence[Attempt]) -> None:
        with self._lock:
            if self._thread is not None and not self._thread.is_responsive:
                self._thread.retire()
                self._thread = None
            if self._thread is None:
                self._thread = self._started()
            self._thread.launch(attempts)

    def _started(self) -> LoopThread:
        thread = LoopThread(f"{self._name}-loop")
        try:
            thread.start()
        except BaseException:  # also of a signal handler, and then the thread may have started
            thread.retire()
            raise
        return thread

    def close(self) -> None:
        with self._lock:
            if self._thread is not None:
                self._thread.retire()
                self._leaving, self._thread = self._thread, None

    def join(self, seconds: float) -> None:
        thread = self._leaving
        if thread is not None and thread is not threading.current_thread():
            thread.join(seconds)
