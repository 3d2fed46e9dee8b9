"""The one place that speaks to redis-py."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from racehound.guard.stores import redis_scripts
from racehound.guard.stores.failures import StoreUnavailable
from racehound.guard.stores.lease import Lease, LeaseKeeper
from racehound.guard.stores.redis_links import Links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redis.commands.core import Script

_SOCKET_SECONDS = 5.0


class RedisServer:
    def __init__(self, url: str, *, namespace: str, lease_seconds: float) -> None:
        try:
            import redis  # noqa: PLC0415 - the optional client, imported when a store is made
        except ImportError as error:
            raise StoreUnavailable(
                "The Redis store needs redis-py", retryable=False, suggestion="Install racehound[redis]"
            ) from error
        self._errors = (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError)
        self._client = redis.Redis.from_url(
            url, decode_responses=True, socket_timeout=_SOCKET_SECONDS, socket_connect_timeout=_SOCKET_SECONDS
        )
        self._links = Links(self._client, redis.exceptions.ResponseError)
        self._script_is_unknown = redis.exceptions.NoScriptError
        self._scripts: dict[str, Script] = {}
        self._namespace = namespace
        self.lease_ms = round(lease_seconds * 1000)
        self.keeper = LeaseKeeper(self._renew, lease_seconds)

    def prefix_of(self, name: str) -> str:
        return f"{self._namespace}:{{{name}}}:"

    def call(self, script: str, prefix: str, *arguments: str | int) -> Any:
        """Run a script. redis-py repeats it over a broken connection, so each one can be repeated."""
        registered = self._scripts.get(script)
        if registered is None:
            registered = self._scripts[script] = self._client.register_script(script)
        with self._reporting():
            try:
                return self._links.ask("EVALSHA", registered.sha, 1, prefix, *arguments)
            except (*self._errors, self._script_is_unknown):
                return registered(keys=[prefix], args=arguments)

    def wait_for(self, key: str, seconds: float) -> str | None:
        """The element that the list gets within that time, if one learns of it. Redis takes 0 for "for ever"."""
        try:
            popped = self._links.ask("BLPOP", key, max(seconds, 0.001))
        except self._errors:
            return None
        return popped[1] if popped else None

    def get(self, key: str) -> str | None:
        with self._reporting():
            return self._client.get(key)  # type: ignore[return-value] # text, as responses are decoded

    def close(self) -> None:
        self.keeper.close()
        self._links.close()
        self._client.close()

    def forget_parent(self) -> None:
        self.keeper.forget_parent()
        self._links.forget_parent()

    def _renew(self, lease: Lease) -> bool | None:
        try:
            return bool(self.call(redis_scripts.RENEW, lease.prefix, lease.owner, self.lease_ms))
        except StoreUnavailable:
            return None

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            raise StoreUnavailable(f"Redis does not answer: {error}") from error
