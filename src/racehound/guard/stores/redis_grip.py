"""A lock on Redis: a lease with a fencing token and a queue."""

import math
import os
import time
from contextlib import suppress

from racehound.guard.errors import LockHeld
from racehound.guard.holder import Holder
from racehound.guard.stores import redis_scripts
from racehound.guard.stores.failures import LockLost, StoreUnavailable
from racehound.guard.stores.holder_record import holder_from, lock_held, own_record
from racehound.guard.stores.lease import Lease
from racehound.guard.stores.redis_server import RedisServer

# A waiter that gave no sign of life for so long does not keep the others waiting.
_PATIENCE_MS = 1500
_SIGN_OF_LIFE_SECONDS = 0.5
_HANDED_SECONDS = 1.5


class RedisGrip:
    def __init__(self, server: RedisServer, name: str, *, session: str = "") -> None:
        self.label = f"redis:{name}"
        self._server = server
        self._session = session
        self._prefix = server.prefix_of(name)
        self._handed = min(_HANDED_SECONDS, server.lease_ms / 1000)
        self._lease: Lease | None = None
        self._record = ""

    def take(self, timeout: float | None) -> bool:
        owner = os.urandom(16).hex()
        try:
            return self._take(owner, timeout)
        except BaseException:
            with suppress(StoreUnavailable):
                self._leave_queue(owner)
                if self._lease is not None:
                    self.drop()
            raise

    def _take(self, owner: str, timeout: float | None) -> bool:
        asked = time.monotonic()
        deadline = math.inf if timeout is None else asked + timeout
        while (expires := self._ask(owner, asked, may_wait=asked < deadline)) is not None:
            if asked >= deadline:
                self._leave_queue(owner)
                return False
            token = self._server.wait_for(
                f"{self._prefix}wake:{owner}", min(_SIGN_OF_LIFE_SECONDS, deadline - asked, expires)
            )
            if token is not None and self._keeps(owner, int(token), asked):
                return True
            asked = time.monotonic()
        return True

    def _ask(self, owner: str, asked: float, *, may_wait: bool) -> float | None:
        """None if the lock is ours now, else the seconds until the lease of the holder ends."""
        self._record = self._record or own_record(self._session)
        taken, value = self._server.call(
            redis_scripts.ACQUIRE,
            self._prefix,
            owner,
            self._server.lease_ms,
            self._record,
            _PATIENCE_MS,
            round(self._handed * 1000),
            int(may_wait),
        )
        if not taken:
            return (int(value) + 1) / 1000 if int(value) > 0 else math.inf
        self._keep(Lease(self._prefix, owner, int(value), asked + self._server.lease_ms / 1000))
        return None

    def _keeps(self, owner: str, token: int, asked: float) -> bool:
        """Whether what was handed over surely lasts until the keeper renews it. If not, ask for it."""
        until = asked + self._handed
        if until - time.monotonic() < self._handed / 2:
            return False
        self._keep(Lease(self._prefix, owner, token, until))
        return True

    def _keep(self, lease: Lease) -> None:
        self._lease = lease
        self._server.keeper.add(lease)

    def _leave_queue(self, owner: str) -> None:
        self._server.call(redis_scripts.LEAVE_QUEUE, self._prefix, owner)

    def drop(self) -> bool:
        lease = self.lease
        self._server.keeper.remove(lease)  # first: what is still renewed would never end
        self._lease = None
        return bool(self._server.call(redis_scripts.RELEASE, self._prefix, lease.owner))

    def is_held(self) -> bool:
        return self._lease is not None and self._lease.is_valid()

    @property
    def lease(self) -> Lease:
        """Its owner names this acquisition to the server, which refuses writes of any other."""
        if self._lease is None:
            raise LockLost(f"Lock {self.label} is not held by this process")
        return self._lease

    def token(self) -> int:
        return self.lease.token

    def confirm(self) -> bool:
        return self._lease is not None and bool(
            self._server.call(redis_scripts.RENEW, self._prefix, self._lease.owner, self._server.lease_ms)
        )

    def holder(self) -> Holder | None:
        holder, _, owner = self._look()
        return holder if owner else None

    def refusal(self, waited_ms: int) -> LockHeld:
        holder, average_ms, _ = self._look()
        return lock_held(self.label, holder, average_ms=float(average_ms or 0), waited_ms=waited_ms)

    def remove_dead_holder(self) -> bool:
        holder, _, owner = self._look()
        if not holder.is_known_dead:
            return False
        return bool(self._server.call(redis_scripts.RELEASE, self._prefix, owner))

    def _look(self) -> tuple[Holder, str, str]:
        record, since, now, average_ms, owner = self._server.call(redis_scripts.HOLDER, self._prefix)
        return holder_from(record, since_ms=int(since), now_ms=int(now)), average_ms, owner

    def forget_parent(self) -> None:
        self._lease = None
        self._record = ""
        self._server.forget_parent()
