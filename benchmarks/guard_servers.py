"""Locks on Redis and PostgreSQL beside those of redis-py and psycopg, on the same two servers.

usage: python benchmarks/guard_servers.py [SECONDS [ROUNDS]]

Prints CPU time of the client per uncontended acquire and release, and for eight processes that take
turns on one lock, medians of several rounds: operations per second, smallest share as a part of the
largest, longest wait.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

from peers.contention import Enter, Make, against, contended, median  # noqa: E402

from servers import postgres_server, redis_server  # noqa: E402

ALONE_ROUNDS = 2000


def guard_redis(url: str, _path: str) -> Enter:
    from racehound.guard.stores.redis import RedisStore  # noqa: PLC0415 - each peer loads itself

    lock = RedisStore(url).lock("benchmark", timeout=None)
    return lambda: lock


def redis_py(url: str, _path: str) -> Enter:
    import redis  # noqa: PLC0415

    lock = redis.Redis.from_url(url).lock("peer", timeout=10, sleep=0.001)
    return lambda: lock


def guard_postgres(url: str, _path: str) -> Enter:
    from racehound.guard.stores.postgres import PostgresStore  # noqa: PLC0415

    lock = PostgresStore(url).lock("benchmark", timeout=None)
    return lambda: lock


class AdvisoryLock:
    """What one writes with psycopg alone: neither timeout nor holder."""

    def __init__(self, url: str) -> None:
        import psycopg  # noqa: PLC0415

        self._connection = psycopg.connect(url, autocommit=True)

    def __enter__(self) -> None:
        self._connection.execute("SELECT pg_advisory_lock(1)")

    def __exit__(self, *_: object) -> None:
        self._connection.execute("SELECT pg_advisory_unlock(1)")


def psycopg_alone(url: str, _path: str) -> Enter:
    lock = AdvisoryLock(url)
    return lambda: lock


@contextmanager
def kinds() -> Iterator[dict[str, Make]]:
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server()).url
        postgres = stack.enter_context(postgres_server()).url
        yield {
            "guard on Redis": partial(guard_redis, redis),
            "redis-py Lock": partial(redis_py, redis),
            "guard on PostgreSQL": partial(guard_postgres, postgres),
            "psycopg advisory lock": partial(psycopg_alone, postgres),
        }


PAIRS = (("guard on Redis", "redis-py Lock"), ("guard on PostgreSQL", "psycopg advisory lock"))


def uncontended(make: Make) -> tuple[float, float]:
    """Microseconds of CPU time and of wall time."""
    enter = make("")
    with enter():
        pass
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(ALONE_ROUNDS):
        with enter():
            pass
    return (time.process_time() - cpu) / ALONE_ROUNDS * 1e6, (time.perf_counter() - wall) / ALONE_ROUNDS * 1e6


def main(seconds: float = 1.0, rounds: float = 7) -> None:
    with kinds() as made:
        found = contended(made, seconds=seconds, rounds=int(rounds))
        print("| lock | alone, CPU us | wall us | 8 processes: ops/s | smallest / largest share | worst wait ms |")
        print("|---|---|---|---|---|---|")
        for name, make in made.items():
            cpu, wall = uncontended(make)
            per_second, evenness, wait = (
                median(found[name], figure) for figure in ("per_second", "evenness", "worst_wait_ms")
            )
            print(f"| {name} | {cpu:.0f} | {wall:.0f} | {per_second:.0f} | {evenness:.2f} | {wait:.0f} |")
        for ours, theirs in PAIRS:
            print(f"{ours} does {against(found[ours], found[theirs]):.2f} x the operations of {theirs}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
