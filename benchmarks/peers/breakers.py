"""Other circuit breakers behind the interface of the shared driver.

A library that is not installed is left out of the tables. None of them takes a clock, so their open time is real
and short.
"""

import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol, TypeVar

from drivers.breaker import Refused, Subject

T = TypeVar("T")
OPEN_SECONDS = 0.4
Function = Callable[..., Any]


class Adapter(Protocol):
    """A library: `refused` is its exception, the rest its API by other names."""

    refused: type[BaseException]

    def __init__(self, threshold: int) -> None: ...
    def invoke(self, function: Function) -> Any: ...
    async def ainvoke(self, function: Function) -> Any: ...
    def decorate(self, function: Function) -> Function: ...
    def failures(self) -> int: ...
    def is_closed(self) -> bool: ...


class PeerSubject:
    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter

    def call(self, function: Callable[[], T]) -> T:
        try:
            answer: T = self._adapter.invoke(function)
        except self._adapter.refused as error:
            raise Refused from error
        return answer

    async def acall(self, function: Callable[[], Coroutine[Any, Any, T]]) -> T:
        try:
            answer: T = await self._adapter.ainvoke(function)
        except self._adapter.refused as error:
            raise Refused from error
        return answer

    def failures(self) -> int:
        return self._adapter.failures()

    def is_closed(self) -> bool:
        return self._adapter.is_closed()

    def cool_down(self) -> None:
        time.sleep(OPEN_SECONDS * 1.1)

    def with_window(self, calls: int) -> "PeerSubject":
        if not isinstance(self._adapter, Interlock):
            raise NotImplementedError("no window that can be asked")
        return PeerSubject(Interlock(calls))

    def noted(self) -> int:
        assert isinstance(self._adapter, Interlock)
        return self._adapter.noted()


class Pybreaker:
    def __init__(self, threshold: int, storage: Any = None, open_seconds: float = OPEN_SECONDS) -> None:
        import pybreaker  # noqa: PLC0415 - measured where installed

        self.refused: type[BaseException] = pybreaker.CircuitBreakerError
        self._breaker = pybreaker.CircuitBreaker(
            fail_max=threshold, reset_timeout=open_seconds, throw_new_error_on_trip=False, state_storage=storage
        )

    def invoke(self, function: Function) -> Any:
        return self._breaker.call(function)

    async def ainvoke(self, function: Function) -> Any:
        raise NotImplementedError("coroutines only under Tornado")

    def decorate(self, function: Function) -> Function:
        return self._breaker(function)  # type: ignore[no-any-return]

    def failures(self) -> int:
        return int(self._breaker.fail_counter)

    def is_closed(self) -> bool:
        return self._breaker.current_state == "closed"


class Circuitbreaker:
    def __init__(self, threshold: int) -> None:
        import circuitbreaker  # noqa: PLC0415 - measured where installed

        self.refused: type[BaseException] = circuitbreaker.CircuitBreakerError
        self._breaker = circuitbreaker.CircuitBreaker(failure_threshold=threshold, recovery_timeout=OPEN_SECONDS)

    def invoke(self, function: Function) -> Any:
        return self._breaker.decorate(function)()  # `call` alone does not look at the state

    async def ainvoke(self, function: Function) -> Any:
        return await self._breaker.decorate(function)()

    def decorate(self, function: Function) -> Function:
        return self._breaker(function)  # type: ignore[no-any-return]

    def failures(self) -> int:
        return int(self._breaker.failure_count)

    def is_closed(self) -> bool:
        return self._breaker.state == "closed"


class Aiobreaker:
    def __init__(self, threshold: int, storage: Any = None, open_seconds: float = OPEN_SECONDS) -> None:
        import aiobreaker  # noqa: PLC0415 - measured where installed

        self.refused: type[BaseException] = aiobreaker.CircuitBreakerError
        self._breaker = aiobreaker.CircuitBreaker(
            fail_max=threshold, timeout_duration=timedelta(seconds=open_seconds), state_storage=storage
        )

    def invoke(self, function: Function) -> Any:
        try:
            return self._breaker.call(function)
        except self.refused as error:
            raise error.__cause__ or error from None  # the failure that opens comes wrapped in a refusal

    async def ainvoke(self, function: Function) -> Any:
        try:
            return await self._breaker.call_async(function)
        except self.refused as error:
            raise error.__cause__ or error from None

    def decorate(self, function: Function) -> Function:
        return self._breaker(function)  # type: ignore[no-any-return]

    def failures(self) -> int:
        return int(self._breaker.fail_counter)

    def is_closed(self) -> bool:
        return self._breaker.current_state.name == "CLOSED"


class Purgatory:
    def __init__(self, threshold: int, redis: str | None = None, open_seconds: float = OPEN_SECONDS) -> None:
        import purgatory  # noqa: PLC0415 - measured where installed
        from purgatory.domain.model import OpenedState  # noqa: PLC0415

        self.refused: type[BaseException] = OpenedState
        shared = (
            (purgatory.SyncRedisUnitOfWork(redis), purgatory.AsyncRedisUnitOfWork(redis)) if redis else (None,) * 2
        )
        self._sync = purgatory.SyncCircuitBreakerFactory(threshold, open_seconds, uow=shared[0])
        self._async = purgatory.AsyncCircuitBreakerFactory(threshold, open_seconds, uow=shared[1])

    def invoke(self, function: Function) -> Any:
        with self._sync.get_breaker("backend"):
            return function()

    async def ainvoke(self, function: Function) -> Any:
        async with await self._async.get_breaker("backend"):
            return await function()

    def decorate(self, function: Function) -> Function:
        return self._sync("backend")(function)

    def failures(self) -> int:
        return int(self._sync.get_breaker("backend").context.failure_count or 0)

    def is_closed(self) -> bool:
        return self._sync.get_breaker("backend").context.state == "closed"


class Pyresilience:
    def __init__(self, threshold: int) -> None:
        import pyresilience  # noqa: PLC0415 - measured where installed
        from pyresilience import CircuitBreaker, CircuitBreakerConfig  # noqa: PLC0415

        self.refused: type[BaseException] = pyresilience.CircuitOpenError
        self._config = CircuitBreakerConfig(
            failure_threshold=threshold, recovery_timeout=OPEN_SECONDS, success_threshold=1
        )
        self._breaker = CircuitBreaker(self._config)
        self._resilient = pyresilience.resilient

    def invoke(self, function: Function) -> Any:
        """Their wrapper keeps its breaker to itself, so this does what it does: allow, call, record."""
        self._ask()
        try:
            answer = function()
        except Exception:
            self._breaker.record_failure()
            raise
        self._breaker.record_success()
        return answer

    async def ainvoke(self, function: Function) -> Any:
        self._ask()
        try:
            answer = await function()
        except Exception:
            self._breaker.record_failure()
            raise
        self._breaker.record_success()
        return answer

    def decorate(self, function: Function) -> Function:
        return self._resilient(circuit_breaker=self._config)(function)  # type: ignore[no-any-return]

    def failures(self) -> int:
        return int(self._breaker.failure_count)

    def is_closed(self) -> bool:
        return self._breaker.state.value == "closed"

    def _ask(self) -> None:
        if not self._breaker.allow_request():
            raise self.refused("open")


class Interlock:
    """Decides by rates alone: as many failures as the threshold, all of them failing, is its nearest setting."""

    def __init__(self, threshold: int, storage: Any = None, open_seconds: float = OPEN_SECONDS) -> None:
        import interlock  # noqa: PLC0415 - measured where installed

        self.refused: type[BaseException] = interlock.CircuitOpenError
        size = min(threshold, 20_000)
        self._breaker = interlock.CircuitBreaker(
            name="backend",
            config=interlock.Config(
                failure_rate_threshold=1.0,
                minimum_number_of_calls=size,
                window_size=max(size, 100),
                wait_duration_in_open=open_seconds,
                permitted_calls_in_half_open=1,
                max_concurrent_probes=1,
            ),
            storage=storage,
        )

    def invoke(self, function: Function) -> Any:
        return self._breaker.call_sync(function)

    async def ainvoke(self, function: Function) -> Any:
        return await self._breaker.call_async(function)

    def decorate(self, function: Function) -> Function:
        return self._breaker(function)  # type: ignore[no-any-return]

    def failures(self) -> int:
        return int(self._breaker.snapshot().failed_calls)

    def noted(self) -> int:
        return int(self._breaker.snapshot().total_calls)

    def is_closed(self) -> bool:
        return self._breaker.state.name == "CLOSED"


@dataclass(frozen=True)
class Peer:
    package: str
    adapter: Callable[[int], Adapter]

    @property
    def label(self) -> str:
        return f"{self.package} {version(self.package)}"

    def make(self, threshold: int) -> Subject:
        return PeerSubject(self.adapter(threshold))

    @property
    def is_installed(self) -> bool:
        with suppress(PackageNotFoundError):
            return bool(version(self.package))
        return False


PEERS = (
    Peer("pybreaker", Pybreaker),
    Peer("circuitbreaker", Circuitbreaker),
    Peer("aiobreaker", Aiobreaker),
    Peer("purgatory", Purgatory),
    Peer("pyresilience", Pyresilience),
    Peer("interlock-cb", Interlock),
)


def installed_peers() -> Iterator[Peer]:
    return (peer for peer in PEERS if peer.is_installed)
