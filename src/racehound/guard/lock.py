"""The lock that a command-line tool takes around what must not run twice at once."""

from __future__ import annotations

import time

from racehound.guard.lockfile import Replaced, unavailable
from racehound.guard.owner import current_owner
from racehound.guard.places import lock_path
from racehound.guard.share import NoHelper, Share, opened_anew, share_of
from racehound.guard.timeouts import DEFAULT_TIMEOUT, OWN_TIMEOUT, checked
from racehound.guard.waiting import TaskWaiter, ThreadWaiter, growing_delays, next_wait

TYPE_CHECKING = False

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Final, Self

    from racehound.guard.errors import LockHeld
    from racehound.guard.orphans import Unlocked

_LAST_LOOKS_SECONDS: Final = 0.02


class Lock:
    """An advisory lock between processes, threads and asyncio tasks.

    The kernel releases it when its holder ends, however that happens; the file stays. The same
    thread or task may enter again, through this object or another one of the same path. A forked
    child does not hold what its parent holds.

    Args:
        name_or_path: A bare name lies below the user's lock directory; a path is that file.
        timeout: Seconds to wait; 0 does not wait, None waits without end.
        session: Goes into the record of the holder, for the messages of others.
        mode: Permissions of a lock file that is created.

    Raises:
        LockHeld: when the time is over.
        LockUnavailable: when the file cannot be opened or locked at all.
    """

    def __init__(
        self,
        name_or_path: str | os.PathLike[str],
        timeout: float | None = DEFAULT_TIMEOUT,
        *,
        session: str = "",
        mode: int = 0o600,
    ) -> None:
        self.path = lock_path(name_or_path)
        self.timeout = checked(timeout)
        self.session = session
        self.mode = mode
        self._share: Share | None = None

    def __repr__(self) -> str:
        return f"Lock({self.path!r}, timeout={self.timeout!r})"

    @property
    def is_held(self) -> bool:
        """Whether the calling thread or task holds the lock."""
        return self._is_owned_by(current_owner())

    def acquire(self, timeout: float | None = OWN_TIMEOUT) -> Self:
        owner = current_owner()
        try:
            if self._enter(owner):
                return self
            if timeout is OWN_TIMEOUT:
                timeout = self.timeout
            self._acquire_slowly(owner, checked(timeout))
        except OSError as error:
            raise unavailable(self.path, error) from error
        return self

    async def acquire_async(self, timeout: float | None = OWN_TIMEOUT) -> Self:  # noqa: ASYNC109 - a lock held is an answer, not a cancellation
        owner = current_owner()
        try:
            if self._enter(owner):
                return self
            if timeout is OWN_TIMEOUT:
                timeout = self.timeout
            await self._acquire_slowly_async(owner, checked(timeout))
        except OSError as error:
            raise unavailable(self.path, error) from error
        return self

    def release(self) -> None:
        share = self._share
        if share is None:
            raise RuntimeError(f"{self.path} is released before it was acquired")
        depth = share.depth
        try:
            share.leave(current_owner())
        except BaseException:
            share.finish_leaving(current_owner(), depth)
            raise

    def __enter__(self) -> Self:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    async def __aenter__(self) -> Self:
        return await self.acquire_async()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def force_unlock(self) -> Unlocked:
        """Free the lock of a holder that is dead.

        The kernel does that by itself, unless the dead holder left children that inherited the
        lock. Then the path gets a fresh lock file, and the answer names those children: they
        may still work under the old one.

        Raises:
            LockHeld: if the recorded holder runs, or if nobody can tell.
        """
        from racehound.guard.orphans import force_unlock  # noqa: PLC0415 - rare, and slow to load

        return force_unlock(self.path, self.mode)

    def _enter(self, owner: object) -> bool:
        while True:
            share = self._share
            if share is None:
                share = self._share = share_of(self.path, self.mode)
            try:
                return share.enter(owner, self.session)
            except Replaced:
                self._reopen(share)

    def _reopen(self, old: Share) -> None:
        new = opened_anew(self.path, self.mode)
        new.inherited += old.inherited
        old.inherited = 0
        self._share = new

    def _acquire_slowly(self, owner: object, seconds: float | None) -> None:
        started = time.monotonic()
        deadline = None if seconds is None else started + seconds
        if seconds == 0 or not self._wait(owner, deadline):
            for delay in self._last_looks(owner, started):
                time.sleep(delay)

    def _wait(self, owner: object, deadline: float | None) -> bool:
        while deadline is None or time.monotonic() < deadline:
            waiter = ThreadWaiter(owner, self.session)
            share = self._opened()
            try:
                try:
                    share.enqueue(waiter)
                    while (pause := next_wait(deadline)) > 0 and not waiter.wait(pause):
                        share.overtake(waiter)
                        if waiter.granted:
                            break
                    if share.withdraw(waiter):
                        return True
                except BaseException:
                    share.give_up(waiter)
                    raise
            except Replaced:
                if self._enter(owner):
                    return True
            except NoHelper:
                for delay in self._polls(owner, deadline):
                    time.sleep(delay)
                return self._is_owned_by(owner)
        return False

    async def _acquire_slowly_async(self, owner: object, seconds: float | None) -> None:
        from asyncio import sleep  # noqa: PLC0415 - only programs that run it pay for it

        started = time.monotonic()
        deadline = None if seconds is None else started + seconds
        if seconds == 0 or not await self._wait_async(owner, deadline):
            for delay in self._last_looks(owner, started):
                await sleep(delay)

    async def _wait_async(self, owner: object, deadline: float | None) -> bool:
        from asyncio import get_running_loop, sleep  # noqa: PLC0415 - only programs that run it pay for it

        while deadline is None or time.monotonic() < deadline:
            waiter = TaskWaiter(owner, self.session, get_running_loop())
            share = self._opened()
            try:
                try:
                    share.enqueue(waiter)
                    while (pause := next_wait(deadline)) > 0 and not await waiter.wait(pause):
                        share.overtake(waiter)
                        if waiter.granted:
                            break
                    if share.withdraw(waiter):
                        return True
                except BaseException:
                    share.give_up(waiter)
                    raise
            except Replaced:
                if self._enter(owner):
                    return True
            except NoHelper:
                for delay in self._polls(owner, deadline):
                    await sleep(delay)
                return self._is_owned_by(owner)
        return False

    def _opened(self) -> Share:
        return self._share or share_of(self.path, self.mode)

    def _is_owned_by(self, owner: object) -> bool:
        return self._share is not None and self._share.owner is owner

    def _polls(self, owner: object, deadline: float | None) -> Iterator[float]:
        """Try again after each delay, until the lock is owned or the time is over."""
        for delay in growing_delays(deadline):
            if self._enter(owner):
                return
            yield delay

    def _last_looks(self, owner: object, started: float) -> Iterator[float]:
        """Refuse, unless the lock turns out to be free or about to be signed.

        Between taking the lock and signing it a holder is unknown, and a helper that nobody waits
        for any more holds the lock for a moment. So an unknown holder is worth a few milliseconds.
        """
        for delay in growing_delays(time.monotonic() + _LAST_LOOKS_SECONDS):
            if self._enter(owner):
                return
            held = self._held(started)
            if held.holder.may_be_alive:
                raise held
            yield delay
        if not self._enter_past_the_queue(owner):
            raise self._held(started)

    def _enter_past_the_queue(self, owner: object) -> bool:
        try:
            return self._share is not None and self._share.enter_past_the_queue(owner, self.session)
        except Replaced:
            return self._enter(owner)

    def _held(self, started: float) -> LockHeld:
        from racehound.guard.explain import lock_held  # noqa: PLC0415 - the way to a refusal is long anyway

        file = self._opened().file
        waited_ms = round((time.monotonic() - started) * 1000)
        return lock_held(self.path, file.read_record(), file.identity, waited_ms=waited_ms)
