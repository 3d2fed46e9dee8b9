"""Somebody of this process who waits for a lock: a thread, or a task of an event loop."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from os import urandom

TYPE_CHECKING = False

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future
    from collections.abc import Iterator

_SHORTEST_DELAY = 0.001
_LONGEST_DELAY = 0.1


class Waiter(ABC):
    """A place in the queue. `granted` and `error` change under the mutex of the queue only."""

    __slots__ = ("error", "granted", "owner", "session")

    def __init__(self, owner: object, session: str) -> None:
        self.owner = owner
        self.session = session
        self.granted = False
        self.error: Exception | None = None

    @abstractmethod
    def wake(self) -> bool:
        """Let the waiter look at its fate; False if there is nobody left to look.

        Called under the mutex of the queue only.
        """


class ThreadWaiter(Waiter):
    __slots__ = ("_signal",)

    def __init__(self, owner: object, session: str) -> None:
        super().__init__(owner, session)
        self._signal = threading.Lock()
        self._signal.acquire()

    def wake(self) -> bool:
        if self._signal.locked():
            self._signal.release()
        return True

    def wait(self, seconds: float) -> bool:
        """Whether there is something to look at."""
        return self._signal.acquire(timeout=max(seconds, 0))


class TaskWaiter(Waiter):
    __slots__ = ("_future", "_loop")

    def __init__(self, owner: object, session: str, loop: AbstractEventLoop) -> None:
        super().__init__(owner, session)
        self._loop = loop
        self._future: Future[None] = loop.create_future()

    def wake(self) -> bool:
        try:
            self._loop.call_soon_threadsafe(self._resolve)
        except RuntimeError:  # the loop was closed around the waiting task
            return False
        return True

    def _resolve(self) -> None:
        if not self._future.done():
            self._future.set_result(None)

    async def wait(self, seconds: float) -> bool:
        from asyncio import wait  # noqa: PLC0415 - only programs that run it pay for it

        await wait([self._future], timeout=max(seconds, 0))
        return self._future.done()


LONG = 0.5
"""Seconds of waiting after which one looks for oneself whether the lock is free."""


def next_wait(deadline: float | None) -> float:
    return LONG if deadline is None else min(LONG, deadline - time.monotonic())


def growing_delays(deadline: float | None) -> Iterator[float]:
    """Jittered delays that double up to a tenth of a second, until the deadline."""
    delay = _SHORTEST_DELAY
    while deadline is None or time.monotonic() < deadline:
        yield delay * (0.5 + urandom(1)[0] / 255)
        delay = min(delay * 2, _LONGEST_DELAY)
