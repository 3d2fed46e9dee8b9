"""Circuits shared by several hosts, in Redis. Time is that of the server."""

from typing import TYPE_CHECKING, TypeVar

from racehound.guard.breaker.errors import StoreUnavailable
from racehound.guard.breaker.keeper import Transition
from racehound.guard.breaker.period import Period
from racehound.guard.breaker.store import Failure, Reading, first_period
from racehound.guard.stores.breaker_row import COLUMNS, from_row, to_row

if TYPE_CHECKING:
    import redis
    from redis.client import Pipeline

T = TypeVar("T")

FAIL = """
local function number(field) return tonumber(redis.call('HGET', KEYS[1], field)) end
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local state = redis.call('HGET', KEYS[1], 'state')
if not state or state == 'disabled' then return false end
if ARGV[1] ~= '' and ARGV[1] ~= redis.call('HGET', KEYS[1], 'version') then return false end
redis.call('HSET', KEYS[1], 'last_failure', ARGV[4])
local failures = redis.call('HINCRBY', KEYS[1], 'failures', 1)
if state == 'closed' and failures >= tonumber(ARGV[2]) then
  redis.call('HINCRBY', KEYS[1], 'version', 1)
  redis.call('HINCRBY', KEYS[1], 'attempt', 1)
  redis.call('HSET', KEYS[1], 'state', 'open', 'until', string.format('%.6f', now + tonumber(ARGV[3])))
end
return {string.format('%.6f', now), redis.call('HMGET', KEYS[1], unpack(ARGV, 5))}
"""


class RedisBreakerStore:
    """Shared state in a Redis or Valkey server, under keys that begin with the namespace.

    `server` is an address such as `redis://host:6379/0`, or a `redis.Redis` client of your own: the
    address gives a client that waits at most `timeout` seconds for an answer.
    """

    def __init__(
        self,
        server: "str | redis.Redis",
        *,
        namespace: str = "racehound",
        timeout: float = 1.0,
        refresh_seconds: float = 0.5,
        retry_seconds: float = 1.0,
    ) -> None:
        import redis  # noqa: PLC0415 - an extra, needed by this store alone

        self.namespace = namespace
        self.refresh_seconds = refresh_seconds
        self.retry_seconds = retry_seconds
        self._errors = redis.exceptions.RedisError
        self._conflict = redis.exceptions.WatchError
        self._client = server if isinstance(server, redis.Redis) else address_client(server, timeout)
        self._fail = self._client.register_script(FAIL)

    def read(self, name: str) -> Reading:
        try:
            with self._client.pipeline() as pipeline:
                pipeline.hmget(self._key(name), *COLUMNS)
                pipeline.time()
                fields, time = pipeline.execute()
        except self._errors as error:
            raise StoreUnavailable(f"redis: {error}") from error
        if fields[0] is None:
            return self.change(name, lambda period, _: (period, None))[0]
        return Reading(from_fields(fields), seconds(time))

    def change(self, name: str, transition: Transition[T]) -> tuple[Reading, T]:
        try:
            with self._client.pipeline() as pipeline:
                while True:
                    try:
                        return self._change(pipeline, self._key(name), transition)
                    except self._conflict:
                        continue
        except self._errors as error:
            raise StoreUnavailable(f"redis: {error}") from error

    def _change(self, pipeline: "Pipeline", key: str, transition: Transition[T]) -> tuple[Reading, T]:
        """Optimistic: somebody else's write between `watch` and `execute` makes the whole attempt fail."""
        pipeline.watch(key)  # type: ignore[no-untyped-call]  # redis leaves it unannotated
        now = seconds(pipeline.time())
        fields = pipeline.hmget(key, *COLUMNS)
        missing = fields[0] is None
        before = first_period(now) if missing else from_fields(fields)
        after, result = transition(before, now)
        if missing or after is not before:
            pipeline.multi()
            pipeline.hset(key, mapping=dict(zip(COLUMNS, to_row(after), strict=True)))
            pipeline.execute()
        return Reading(after, now), result

    def fail(self, name: str, failure: Failure) -> Reading | None:
        version = "" if failure.version is None else failure.version
        arguments = [version, failure.limit, failure.open_for, failure.text or "", *COLUMNS]
        try:
            answer = self._fail(keys=[self._key(name)], args=arguments)
        except self._errors as error:
            raise StoreUnavailable(f"redis: {error}") from error
        if not answer:
            return None
        now, fields = answer
        return Reading(from_fields(fields), float(now))

    def close(self) -> None:
        self._client.close()

    def _key(self, name: str) -> str:
        return f"{self.namespace}:circuit:{name}"


def address_client(address: str, timeout: float) -> "redis.Redis":
    import redis  # noqa: PLC0415 - as above

    return redis.Redis.from_url(address, socket_timeout=timeout, socket_connect_timeout=timeout)


def from_fields(fields: "list[bytes | str | None]") -> Period:
    return from_row([field.decode() if isinstance(field, bytes) else str(field) for field in fields])


def seconds(time: tuple[int, int]) -> float:
    return time[0] + time[1] / 1_000_000
