"""The interface of `guard.Lock` for a lock that lives on a server."""

import os
import time
import weakref
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self

from racehound.guard.errors import GuardError, LockHeld
from racehound.guard.holder import UNKNOWN, Holder
from racehound.guard.orphans import Unlocked
from racehound.guard.owner import current_owner
from racehound.guard.stores.failures import LockLost
from racehound.guard.stores.gate import Gate
from racehound.guard.stores.in_thread import in_thread
from racehound.guard.timeouts import OWN_TIMEOUT, checked


class Grip(Protocol):
    """How one kind of server takes a lock and gives it back. Used by one owner at a time."""

    label: str

    def take(self, timeout: float | None) -> bool:
        """Whether the lock was free in time."""

    def drop(self) -> bool:
        """Whether the lock was ours until now."""

    def is_held(self) -> bool: ...

    def token(self) -> int:
        """Raises `LockLost` where it is not held."""

    def confirm(self) -> bool:
        """Like `is_held`, by asking the server."""

    def holder(self) -> Holder | None: ...
    def refusal(self, waited_ms: int) -> LockHeld: ...

    def remove_dead_holder(self) -> bool:
        """Whether there was one that the server itself had not noticed."""

    def forget_parent(self) -> None:
        """In a forked child: give up what belongs to the parent without telling the server."""


class ServerLock:
    """A lock among all processes of all hosts that use one server.

    Re-entrant by thread and by asyncio task, for `with` and `async with`. It can be lost while it
    is held, when the server or the way to it fails: `check()` asks, and leaving the block raises
    `LockLost`.
    """

    def __init__(self, grip: Grip, *, timeout: float | None) -> None:
        self.timeout = checked(timeout)
        self._grip = grip
        self._gate = Gate()
        _ALL.add(self)

    def __repr__(self) -> str:
        return f"ServerLock({self._grip.label!r}, timeout={self.timeout!r})"

    @property
    def is_held(self) -> bool:
        """Whether the calling thread or task holds the lock, as far as is known without asking."""
        return self._gate.depth(current_owner()) > 0 and self._grip.is_held()

    @property
    def fencing_token(self) -> int:
        """A number that grows with every acquisition by anybody.

        A place that refuses a number smaller than the greatest it has seen is safe from a holder
        that was paused, lost the lock and does not know it yet.
        """
        return self._grip.token()

    def check(self) -> None:
        """Ask the server, and raise `LockLost` unless the lock is ours."""
        if not self._grip.confirm():
            raise self._lost()

    def acquire(self, timeout: float | None = OWN_TIMEOUT) -> Self:
        self._acquire(current_owner(), self._limit(timeout))
        return self

    async def acquire_async(self, timeout: float | None = OWN_TIMEOUT) -> Self:  # noqa: ASYNC109 - a lock held is an answer, not a cancellation
        owner, limit = current_owner(), self._limit(timeout)
        await in_thread(lambda: self._acquire(owner, limit), undo=lambda: self._give_up(owner))
        return self

    def release(self) -> None:
        """Give the lock back. Raises `LockLost` if it was not ours until now."""
        self._release(current_owner())

    def force_unlock(self) -> Unlocked:
        """Take the lock away from a holder that is certainly dead; `LockHeld` if it may be alive."""
        holder = self._grip.holder()
        if holder is not None and not holder.is_known_dead:
            raise self._grip.refusal(0)
        removed = self._grip.remove_dead_holder()
        return Unlocked(lock_file=self._grip.label, holder=holder or UNKNOWN, orphans=(), replaced=removed)

    def __enter__(self) -> Self:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave(current_owner(), error)

    async def __aenter__(self) -> Self:
        return await self.acquire_async()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        owner = current_owner()
        await in_thread(lambda: self._leave(owner, error))

    def _limit(self, timeout: float | None) -> float | None:
        return self.timeout if timeout is OWN_TIMEOUT else checked(timeout)

    def _acquire(self, owner: object, limit: float | None) -> None:
        before = self._gate.depth(owner)
        try:
            self._enter(owner, limit)
        except BaseException:
            self._take_back(owner, before)
            raise

    def _take_back(self, owner: object, depth: int) -> None:
        """A signal handler may raise anywhere. Who goes on after that must not be inside without the lock."""
        if self._gate.depth(owner) == depth:
            return
        try:
            if depth == 0 and self._grip.is_held():
                with suppress(GuardError):
                    self._grip.drop()
        finally:
            self._gate.leave()

    def _enter(self, owner: object, limit: float | None) -> None:
        start = time.monotonic()
        depth = self._gate.enter(owner, limit)
        if depth is None:
            raise self._grip.refusal(_since_ms(start))
        if depth > 1:
            return
        taken = False
        try:
            taken = self._grip.take(None if limit is None else max(0.0, start + limit - time.monotonic()))
        finally:
            if not taken:
                self._gate.leave()
        if not taken:
            raise self._grip.refusal(_since_ms(start))

    def _release(self, owner: object) -> None:
        depth = self._gate.depth(owner)
        if depth == 0:
            if self._gate.leave_inherited():
                return
            raise RuntimeError(f"{self._grip.label} is released by somebody who does not hold it")
        try:
            kept = depth > 1 or self._grip.drop()
        finally:
            self._gate.leave()
        if not kept:
            raise self._lost()

    def _give_up(self, owner: object) -> None:
        """Give back what nobody wants any more: if it is lost, there is nobody to be told."""
        with suppress(GuardError):
            self._release(owner)

    def _leave(self, owner: object, error: BaseException | None) -> None:
        try:
            self._release(owner)
        except LockLost as lost:
            if error is None:
                raise
            error.add_note(lost.message)

    def _lost(self) -> LockLost:
        return LockLost(f"Lock {self._grip.label} is not held by this process any more")

    def _forget_parent(self) -> None:
        self._gate.forget_parent()
        self._grip.forget_parent()


def _since_ms(start: float) -> int:
    return round((time.monotonic() - start) * 1000)


_ALL: weakref.WeakSet[ServerLock] = weakref.WeakSet()


def _forget_parents() -> None:
    for lock in list(_ALL):
        lock._forget_parent()  # noqa: SLF001 - the class and its fork handler are one


if hasattr(os, "register_at_fork"):  # pragma: no branch - needs fork
    os.register_at_fork(after_in_child=_forget_parents)
