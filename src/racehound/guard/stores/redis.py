"""Locks and configuration on Redis."""

import os

from racehound.guard.stores import redis_scripts
from racehound.guard.stores.failures import LockLost
from racehound.guard.stores.redis_grip import RedisGrip
from racehound.guard.stores.redis_server import RedisServer
from racehound.guard.stores.server_config import ServerConfig
from racehound.guard.stores.server_lock import ServerLock
from racehound.guard.timeouts import DEFAULT_TIMEOUT

_LOST = 1
_CHANGED = 2


class RedisStore:
    """Locks and configuration that all hosts with access to one Redis server share.

    A lock is a lease: it ends by itself when its holder gives no sign of life for `lease_seconds`.
    Redis answers from memory, so a server that comes back without its data has forgotten its
    locks; their holders lose them, and can write nothing through this store any more.

    Args:
        url: Such as `redis://host:6379/0` or `unix:///path/to/socket`.
        namespace: First part of all keys.
        lease_seconds: Renewed three times as often while the lock is held.
    """

    def __init__(self, url: str, *, namespace: str = "racehound", lease_seconds: float = 10.0) -> None:
        self._server = RedisServer(url, namespace=namespace, lease_seconds=lease_seconds)

    def lock(self, name: str, timeout: float | None = DEFAULT_TIMEOUT, *, session: str = "") -> ServerLock:
        """The lock of that name; arguments as for `guard.Lock`."""
        return ServerLock(RedisGrip(self._server, name, session=session), timeout=timeout)

    def config(self, name: str, *, lock_timeout: float | None = DEFAULT_TIMEOUT) -> ServerConfig:
        """The configuration of that name; it has a lock of its own."""
        grip = RedisGrip(self._server, f"config/{name}")
        return ServerConfig(ServerLock(grip, timeout=lock_timeout), _RedisDocument(self._server, name, grip))

    def close(self) -> None:
        self._server.close()


class _RedisDocument:
    def __init__(self, server: RedisServer, name: str, grip: RedisGrip) -> None:
        self.label = f"redis:{name}"
        self._server = server
        self._grip = grip
        self._prefix = server.prefix_of(f"config/{name}")

    def read(self) -> str:
        return self._server.get(f"{self._prefix}document") or ""

    def write(self, expected: str, text: str) -> bool:
        answer = self._server.call(
            redis_scripts.WRITE, self._prefix, self._grip.lease.owner, os.urandom(8).hex(), expected, text
        )
        if answer == _LOST:
            raise LockLost(f"The lock of {self.label} was lost before the change was written")
        return bool(answer != _CHANGED)
