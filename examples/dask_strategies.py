"""Strategies that outgrow one machine: the same executor, its functions run by a dask cluster.

usage: python examples/dask_strategies.py [SCHEDULER_ADDRESS]

Without an address a small cluster is started on this machine. Permits, deadlines and outcomes are decided here;
the workers of the cluster get the functions and nothing else.
"""

import sys
from collections.abc import Mapping
from typing import Any

from distributed import Client, LocalCluster

from racehound.guard import CircuitBreaker, Outcome, ParallelStrategyExecutor
from racehound.guard.executor import Strategy


def exhaustive(limit: int) -> int:
    """Primes below the limit, by trial division."""
    return sum(all(number % divisor for divisor in range(2, number)) for number in range(2, limit))


def sieve(limit: int) -> int:
    """Primes below the limit, by the sieve of Eratosthenes."""
    composite = {multiple for number in range(2, limit) for multiple in range(2 * number, limit, number)}
    return limit - 2 - len(composite)


def unavailable(_: int) -> int:
    raise ConnectionError("the table of primes cannot be reached")


def count_primes(client: Client, limit: int, rounds: int) -> list[Mapping[str, Outcome[int]]]:
    strategies: dict[str, Any] = {
        "exhaustive": Strategy(exhaustive, timeout=60.0),
        "sieve": sieve,
        "table": unavailable,
    }
    breaker = CircuitBreaker(failure_threshold=2, open_seconds=30.0)
    # Without pure=False dask would take two rounds with the same argument for one and the same task.
    pool = client.get_executor(pure=False)
    with ParallelStrategyExecutor(strategies, max_workers=8, breaker=breaker, executor=pool) as executor:
        return [executor.run(limit, timeout=60.0) for _ in range(rounds)]


def show(client: Client) -> None:
    for outcomes in count_primes(client, limit=1000, rounds=3):
        print({name: outcome.value or str(outcome.status) for name, outcome in outcomes.items()})


def main() -> None:
    if len(sys.argv) > 1:
        with Client(sys.argv[1]) as client:
            show(client)
        return
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        show(client)


if __name__ == "__main__":
    main()
