"""A child process with a circuit of another library, shared through Redis.

usage: python breaker_child.py PACKAGE ADDRESS THRESHOLD THREADS

Its breaker is made when the first order comes, so that the first herd meets it cold.
"""

import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "tests")]

import redis  # noqa: E402 - after the path to them
from peers.breakers import Adapter, Aiobreaker, Interlock, PeerSubject, Purgatory, Pybreaker  # noqa: E402

from drivers.breaker import Broken  # noqa: E402
from drivers.breaker_processes import Child  # noqa: E402

OPEN_SECONDS = 3.0  # some libraries keep the time in whole seconds


def pybreaker_on(address: str, threshold: int) -> Adapter:
    import pybreaker  # noqa: PLC0415 - measured where installed

    client = redis.Redis.from_url(address)
    storage = pybreaker.CircuitRedisStorage(pybreaker.STATE_CLOSED, client, namespace="bench")
    return Pybreaker(threshold, storage, OPEN_SECONDS)


def aiobreaker_on(address: str, threshold: int) -> Adapter:
    from aiobreaker.state import CircuitBreakerState  # noqa: PLC0415 - measured where installed
    from aiobreaker.storage.redis import CircuitRedisStorage  # noqa: PLC0415

    storage = CircuitRedisStorage(CircuitBreakerState.CLOSED, redis.Redis.from_url(address), namespace="bench")
    return Aiobreaker(threshold, storage, OPEN_SECONDS)


def purgatory_on(address: str, threshold: int) -> Adapter:
    return Purgatory(threshold, address, OPEN_SECONDS)


def interlock_on(address: str, threshold: int) -> Adapter:
    from interlock.integrations.redis import RedisStorage  # noqa: PLC0415 - measured where installed

    return Interlock(threshold, RedisStorage(redis.Redis.from_url(address)), OPEN_SECONDS)


def interlock_for_coroutines_on(address: str, threshold: int) -> Adapter:
    from interlock.integrations.redis import AsyncRedisStorage  # noqa: PLC0415 - measured where installed
    from redis import asyncio  # noqa: PLC0415

    return Interlock(threshold, AsyncRedisStorage(asyncio.Redis.from_url(address)), OPEN_SECONDS)


ON_REDIS: dict[str, Callable[[str, int], Adapter]] = {
    "pybreaker": pybreaker_on,
    "aiobreaker": aiobreaker_on,
    "purgatory": purgatory_on,
    "interlock-cb": interlock_on,
}


class LateSubject:
    def __init__(self, package: str, address: str, threshold: int) -> None:
        self._make = lambda: PeerSubject(ON_REDIS[package](address, threshold))
        self._lock = threading.Lock()
        self._subject: PeerSubject | None = None

    def _made(self) -> PeerSubject:
        with self._lock:
            self._subject = self._subject or self._make()
            return self._subject

    def call(self, function: Callable[[], None]) -> None:
        self._made().call(function)

    def failures(self) -> int:
        return self._made().failures()

    def record_failure(self) -> None:
        def fail() -> None:
            raise Broken

        try:
            self.call(fail)
        except Broken:
            return


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    subject = LateSubject(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    try:
        Child(subject, int(sys.argv[4]), patience=1.0).serve()
    except Exception as error:  # noqa: BLE001 - a library that breaks here fails the case
        sys.exit(f"{sys.argv[1]}: {type(error).__name__}: {error}")
