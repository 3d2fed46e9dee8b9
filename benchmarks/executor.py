"""What a fan-out costs: eight strategies on a warm executor beside a bare warm thread pool.

usage: python benchmarks/executor.py [--rounds N] [--slices N]

First the known ways to get a fan-out wrong, put to both. Then the cost: CPU time of the whole process, all threads
included; the variants take turns slice by slice, and the smallest slice of each counts, so that a busy machine
disturbs all of them alike. Exit status 1 if the full executor costs more than the limit allows.
"""

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from racehound.guard import CircuitBreaker, ParallelStrategyExecutor

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

from peers.breakers import installed_peers  # noqa: E402
from peers.fan_outs import ways  # noqa: E402

from drivers.executor_cases import CASES, Way, strategy_executor  # noqa: E402

STRATEGIES = 8
WORKERS = 4
LIMIT = 1.5


def strategy(argument: int) -> int:
    return argument + 1


def variants() -> dict[str, Callable[[], object]]:
    functions = {f"strategy {number}": strategy for number in range(STRATEGIES)}
    bare = ThreadPoolExecutor(WORKERS)
    plain = ParallelStrategyExecutor(functions, max_workers=WORKERS)
    guarded = ParallelStrategyExecutor(functions, max_workers=WORKERS, breaker=CircuitBreaker())

    def bare_pool() -> dict[str, int]:
        futures = {name: bare.submit(function, 1) for name, function in functions.items()}
        return {name: future.result() for name, future in futures.items()}

    def pool_per_round() -> dict[str, int]:
        with ThreadPoolExecutor(WORKERS) as pool:
            futures = {name: pool.submit(function, 1) for name, function in functions.items()}
            return {name: future.result() for name, future in futures.items()}

    return {
        "bare warm pool": bare_pool,
        "executor": lambda: plain.run(1),
        "executor, deadline": lambda: plain.run(1, timeout=60.0),
        "executor, deadline, breaker": lambda: guarded.run(1, timeout=60.0),
        "pool per round": pool_per_round,
    }


def cpu_microseconds(work: Callable[[], object], rounds: int) -> float:
    started = time.process_time_ns()
    for _ in range(rounds):
        work()
    return (time.process_time_ns() - started) / rounds / 1000


def measure(rounds: int, slices: int) -> dict[str, float]:
    candidates = variants()
    best = {name: cpu_microseconds(work, rounds) for name, work in candidates.items()}
    for _ in range(slices):
        for name, work in candidates.items():
            best[name] = min(best[name], cpu_microseconds(work, rounds))
    return best


def verdict(holds: Callable[[Way], bool], way: Way) -> str:
    try:
        return "holds" if holds(way) else "FAILS"
    except Exception as error:  # noqa: BLE001 - a library that breaks here fails the case
        return f"FAILS {type(error).__name__}"


def show_cases() -> None:
    for name, holds in CASES.items():
        print(f"{name}\n  {'racehound':22} {verdict(holds, strategy_executor)}")
        for label, way in ways().items():
            print(f"  {label:22} {verdict(holds, way)}")
        for peer in installed_peers():
            print(f"  {peer.label:22} not offered: runs nothing in parallel")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--slices", type=int, default=40)
    options = parser.parse_args()
    show_cases()
    best = measure(options.rounds, options.slices)
    bare = best["bare warm pool"]
    for name, microseconds in best.items():
        print(f"{name:30} {microseconds:8.1f} us CPU  {microseconds / bare:5.2f} x")
    ratio = best["executor, deadline, breaker"] / bare
    print(f"fan-out of {STRATEGIES}: {ratio:.2f} x a bare warm pool, at most {LIMIT} x is asked")
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
