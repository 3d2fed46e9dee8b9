"""A child process with a circuit of another library, shared through Redis.

usage: python breaker_child.py PACKAGE ADDRESS THREADS

Its breaker is made when the first order comes, so that the first herd meets it cold.
"""

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "tests")]

import redis  # noqa: E402 - after the path to them
from peers.breakers import Adapter, Aiobreaker, Interlock, PeerSubject, Pybreaker  # noqa: E402

from drivers.breaker import Broken  # noqa: E402
from drivers.breaker_processes import Child  # noqa: E402

THRESHOLD = 3
OPEN_SECONDS = 3.0  # some libraries keep the time in whole seconds


def pybreaker_on(client: Any) -> Adapter:
    import pybreaker  # noqa: PLC0415 - measured where installed

    storage = pybreaker.CircuitRedisStorage(pybreaker.STATE_CLOSED, client, namespace="bench")
    return Pybreaker(THRESHOLD, storage, OPEN_SECONDS)


def aiobreaker_on(client: Any) -> Adapter:
    from aiobreaker.state import CircuitBreakerState  # noqa: PLC0415 - measured where installed
    from aiobreaker.storage.redis import CircuitRedisStorage  # noqa: PLC0415

    storage = CircuitRedisStorage(CircuitBreakerState.CLOSED, client, namespace="bench")
    return Aiobreaker(THRESHOLD, storage, OPEN_SECONDS)


def interlock_on(client: Any) -> Adapter:
    from interlock.integrations.redis import RedisStorage  # noqa: PLC0415 - measured where installed

    return Interlock(THRESHOLD, RedisStorage(client), OPEN_SECONDS)


ON_REDIS: dict[str, Callable[[Any], Adapter]] = {
    "pybreaker": pybreaker_on,
    "aiobreaker": aiobreaker_on,
    "interlock-cb": interlock_on,
}


class LateSubject:
    def __init__(self, package: str, address: str) -> None:
        self._make = lambda: PeerSubject(ON_REDIS[package](redis.Redis.from_url(address)))
        self._lock = threading.Lock()
        self._subject: PeerSubject | None = None

    def call(self, function: Callable[[], None]) -> None:
        with self._lock:
            self._subject = self._subject or self._make()
        self._subject.call(function)

    def record_failure(self) -> None:
        def fail() -> None:
            raise Broken

        try:
            self.call(fail)
        except Broken:
            return


if __name__ == "__main__":
    Child(LateSubject(sys.argv[1], sys.argv[2]), int(sys.argv[3]), patience=1.0).serve()
