"""Locks on Redis and PostgreSQL beside those of redis-py and psycopg, on the same two servers.

    python benchmarks/guard_servers.py [SECONDS]

Prints CPU time of the client per uncontended acquire and release, and for eight processes that take
turns on one lock: operations per second, smallest and largest share, longest wait.
"""

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from servers import postgres_server, redis_server

PROCESSES = 8
ROUNDS = 2000

Make = Callable[[str], AbstractContextManager[object]]


def guard_redis(url: str) -> AbstractContextManager[object]:
    from racehound.guard.stores.redis import RedisStore  # noqa: PLC0415 - each peer loads itself

    return RedisStore(url).lock("benchmark", timeout=None)


def redis_py(url: str) -> AbstractContextManager[object]:
    import redis  # noqa: PLC0415

    return redis.Redis.from_url(url).lock("peer", timeout=10, sleep=0.001)


def guard_postgres(url: str) -> AbstractContextManager[object]:
    from racehound.guard.stores.postgres import PostgresStore  # noqa: PLC0415

    return PostgresStore(url).lock("benchmark", timeout=None)


class AdvisoryLock:
    """What one writes with psycopg alone: neither timeout nor holder."""

    def __init__(self, url: str) -> None:
        import psycopg  # noqa: PLC0415

        self._connection = psycopg.connect(url, autocommit=True)

    def __enter__(self) -> None:
        self._connection.execute("SELECT pg_advisory_lock(1)")

    def __exit__(self, *_: object) -> None:
        self._connection.execute("SELECT pg_advisory_unlock(1)")


@dataclass(frozen=True)
class Peer:
    name: str
    make: Make
    server: str


PEERS = (
    Peer("guard on Redis", guard_redis, "redis"),
    Peer("redis-py Lock", redis_py, "redis"),
    Peer("guard on PostgreSQL", guard_postgres, "postgres"),
    Peer("psycopg advisory lock", AdvisoryLock, "postgres"),
)


def uncontended(peer: Peer, url: str) -> tuple[float, float]:
    """Microseconds of CPU time and of wall time."""
    lock = peer.make(url)
    with lock:
        pass
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(ROUNDS):
        with lock:
            pass
    return (time.process_time() - cpu) / ROUNDS * 1e6, (time.perf_counter() - wall) / ROUNDS * 1e6


def take_turns(
    peer: Peer, url: str, seconds: float, counter: str, answers: "multiprocessing.Queue[object]"
) -> None:
    lock, path = peer.make(url), Path(counter)
    done, longest, end = 0, 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        asked = time.monotonic()
        with lock:
            longest = max(longest, time.monotonic() - asked)
            path.write_text(str(int(path.read_text()) + 1))
        done += 1
    answers.put((done, longest))


def contended(peer: Peer, url: str, seconds: float, counter: Path) -> tuple[list[int], float]:
    counter.write_text("0")
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    workers = [
        context.Process(target=take_turns, args=(peer, url, seconds, str(counter), answers))
        for _ in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    results = [answers.get() for _ in workers]
    for worker in workers:
        worker.join()
    shares = sorted(done for done, _ in results)
    assert int(counter.read_text()) == sum(shares), f"{peer.name} lost an increment"
    return shares, max(longest for _, longest in results)


@contextmanager
def both_servers() -> Iterator[dict[str, tuple[str, Path]]]:
    with ExitStack() as stack:
        servers = {
            "redis": stack.enter_context(redis_server()),
            "postgres": stack.enter_context(postgres_server()),
        }
        yield {name: (server.url, server.directory) for name, server in servers.items()}


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    print(f"{'lock':24} {'CPU us':>8} {'wall us':>8} {'ops/s':>8} {'shares':>12} {'longest wait ms':>16}")
    with both_servers() as urls:
        for peer in PEERS:
            url, directory = urls[peer.server]
            cpu, wall = uncontended(peer, url)
            shares, longest = contended(peer, url, seconds, directory / "counter")
            rate, span = sum(shares) / seconds, f"{shares[0]} / {shares[-1]}"
            print(f"{peer.name:24} {cpu:8.0f} {wall:8.0f} {rate:8.0f} {span:>12} {longest * 1000:16.0f}")


if __name__ == "__main__":
    main()
