"""The circuit breaker beside its peers, in one run: what a guarded call costs, and who fails what.

usage: python benchmarks/breaker.py [--quick]

Costs are CPU time per successful call: the smallest slice of many, the variants taking turns, so that a busy
machine disturbs all of them alike. Cases come from tests/drivers/breaker.py, which our own tests use as well.
Peers and servers that are not installed are left out. Exit status 1 if one of our own figures is missed.
"""

import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

import pytest  # noqa: E402
from peers.breaker_child import ON_REDIS, OPEN_SECONDS  # noqa: E402
from peers.breakers import Peer, installed_peers  # noqa: E402
from peers.shared_cases import child_of, ours_counted, ours_in_a_loop, peer_counted, peer_in_a_loop  # noqa: E402

from drivers.breaker import CASES, Result, ours, together  # noqa: E402
from drivers.breaker_processes import break_open, crew, expire, our_child, store_at  # noqa: E402
from racehound.guard import CircuitBreaker, Window  # noqa: E402
from servers import postgres_server, redis_program, redis_server  # noqa: E402

QUICK = "--quick" in sys.argv
SLICES = 20 if QUICK else 60
CALLS = 3_000
CALLS_IN_THREADS = 1_000  # of each thread: short slices, so that some of them meet a calm moment
LIMIT_PLAIN = 1.4
LIMIT_MEASURED = 2.5
THREADS = 8
PROCESSES = 8
FAILURES = 2_000 if QUICK else 100_000
Function = Callable[..., Any]

missed: list[str] = []


def require(condition: bool, what: str) -> None:
    if not condition:
        missed.append(what)


def nothing() -> None:
    """The guarded function: its own cost hides nothing of the guard's."""


def passed_through(function: Function) -> Function:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


def identity(argument: int) -> int:
    return argument


def variants() -> dict[str, Function]:
    window = Window(slow_rate=0.5, slow_seconds=60.0)
    by_time = Window(seconds=60.0, slow_rate=0.5, slow_seconds=60.0)
    breaker = CircuitBreaker()
    found: dict[str, Function] = {
        "pass-through decorator": passed_through(nothing),
        "racehound": breaker.guard("none")(nothing),
        "racehound, window and slow calls": CircuitBreaker(window=window).guard("none")(nothing),
        "racehound, window over time": CircuitBreaker(window=by_time).guard("none")(nothing),
        "pass-through, one argument": passed_through(identity),
        "racehound, one argument": breaker.guard("one")(identity),
        "racehound, one argument, window": CircuitBreaker(window=window).guard("one")(identity),
        "racehound, one argument, window over time": CircuitBreaker(window=by_time).guard("one")(identity),
    }
    for peer in installed_peers():
        found[peer.label] = peer.adapter(1_000_000).decorate(nothing)
    return found


def slice_of(function: Function, *arguments: int, calls: int = CALLS) -> float:
    """Two loops, because a call by way of `*arguments` would cost more than what is measured."""
    started = time.thread_time_ns()
    if arguments:
        (argument,) = arguments
        for _ in range(calls):
            function(argument)
    else:
        for _ in range(calls):
            function()
    return (time.thread_time_ns() - started) / calls


def slice_in_threads(function: Function, *arguments: int) -> float:
    """The mean of threads that all run at once."""
    costs: list[float] = []
    together(*[lambda: costs.append(slice_of(function, *arguments, calls=CALLS_IN_THREADS))] * THREADS)
    return sum(costs) / len(costs)


def costs(functions: dict[str, Function], measure: Callable[..., float], slices: int) -> dict[str, float]:
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(slices):
        for name, function in functions.items():
            arguments = (1,) if "one argument" in name else ()
            best[name] = min(best[name], measure(function, *arguments))
    return best


def show_costs() -> None:
    functions = variants()
    single = costs(functions, slice_of, SLICES)
    many = costs(functions, slice_in_threads, SLICES)
    print(f"\nGuarded successful call, CPU ns (and times the pass-through decorator); right: {THREADS} threads\n")
    for name in functions:
        floor = "pass-through, one argument" if "one argument" in name else "pass-through decorator"
        ratios = single[name] / single[floor], many[name] / many[floor]
        print(f"  {name:42} {single[name]:8.0f} ({ratios[0]:5.2f})   {many[name]:8.0f} ({ratios[1]:5.2f})")
        limit = LIMIT_MEASURED if "window" in name else LIMIT_PLAIN
        if name.startswith("racehound"):
            require(
                max(ratios) <= limit, f"{name}: {max(ratios):.2f} times the pass-through decorator, above {limit}"
            )


def verdict(case: Callable[..., Result], *subject: Any) -> Result:
    try:
        return case(*subject)
    except NotImplementedError as error:
        return Result(passed=True, detail=f"not offered: {error}")
    except Exception as error:  # noqa: BLE001 - a library that breaks here fails the case
        return Result(passed=False, detail=f"{type(error).__name__}: {error}"[:60])


def show_cases() -> None:
    print("\nWho fails what\n")
    for title, case in CASES.items():
        result = verdict(case, ours)
        print(f"  {title}\n    {'racehound':22} {'ok  ' if result.passed else 'FAIL'} {result.detail}")
        require(result.passed, f"{title}: {result.detail}")
        for peer in installed_peers():
            shown = verdict(case, peer.make)
            print(f"    {peer.label:22} {'ok  ' if shown.passed else 'FAIL'} {shown.detail}")


def show_shared_cases() -> None:
    """Each library on a server of its own: what one leaves there must not count for the next."""
    table = {
        "E15 failures of processes counted": (ours_counted, peer_counted),
        "E16 the event loop goes on": (ours_in_a_loop, peer_in_a_loop),
    }
    for title, (own, of_peer) in table.items():
        print(f"  {title}")
        show_one(title, "racehound", own)
        for peer in installed_peers():
            show_one(title, peer.label, partial(of_peer, peer.package))


def show_one(title: str, label: str, case: Callable[..., Result]) -> None:
    with redis_server() as server:
        result = verdict(case, server)
    print(f"    {label:22} {'ok  ' if result.passed else 'FAIL'} {result.detail}")
    require(result.passed or label != "racehound", f"{title}: {result.detail}")


def show_counts() -> None:
    breaker = CircuitBreaker(3)

    def work() -> None:
        for _ in range(FAILURES):
            breaker.record_failure("backend")

    started = time.process_time()
    together(*[work] * THREADS)
    spent = time.process_time() - started
    lost = THREADS * FAILURES - breaker.failures("backend")
    each = spent / (THREADS * FAILURES) * 1e6
    print(f"\n{THREADS} threads, {FAILURES:,} failures each: {lost} lost, {each:.1f} µs CPU per failure")
    require(lost == 0, f"{lost} failures lost")


@contextmanager
def addresses() -> Iterator[dict[str, str]]:
    """Where each store is, for those whose server is installed."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        found = {"sqlite": str(directory / "circuits.db")}
        for name, start in {"redis": redis_server, "postgres": postgres_server}.items():
            try:
                found[name] = stack.enter_context(start()).url
            except pytest.skip.Exception as reason:
                print(f"  {name}: {reason}")
        yield found


def show_stores() -> None:
    print(f"\nProbes let through in half-open, {PROCESSES} processes with 4 threads each on one shared circuit\n")

    with addresses() as found:
        for name, address in found.items():
            with closing(store_at(address)) as store, crew(our_child(address), PROCESSES) as callers:
                break_open(store)
                cold = callers.herd()
                expire(store)
                warm = callers.herd()
            print(f"  racehound on {name:21} cold {cold:2}, warm {warm:2} of {PROCESSES * 4}")
            require((cold, warm) == (1, 1), f"{name}: {cold} cold and {warm} warm probes in place of 1")
            show_store_cost(name, address)
        for peer in installed_peers():
            if "redis" in found and peer.package in ON_REDIS:
                herds = verdict(herds_of_peer, peer, found["redis"])
                print(f"  {peer.label + ' on redis':34} {herds.detail}")


def show_store_cost(name: str, address: str) -> None:
    with closing(store_at(address, refresh_seconds=60.0)) as store:
        breaker = CircuitBreaker(1_000_000_000, store=store)
        call = breaker.guard("cost")(nothing)
        call()
        guarded = min(slice_of(call) for _ in range(5)) / 1000
        started = time.thread_time_ns()
        for _ in range(500):
            breaker.record_failure("cost")
        failure = (time.thread_time_ns() - started) / 500_000
    print(f"    CPU µs: guarded success {guarded:.1f}, failure {failure:.0f}  ({name})")


def herds_of_peer(peer: Peer, address: str) -> Result:
    child = child_of(peer.package, address, 3)
    with crew(child, 1, 1) as opener, crew(child, PROCESSES) as callers:
        opener.count(3)
        time.sleep(OPEN_SECONDS * 1.4)
        cold = callers.herd()
        time.sleep(OPEN_SECONDS * 1.4)
        warm = callers.herd()
    return Result(passed=cold == warm == 1, detail=f"cold {cold:2}, warm {warm:2} of {PROCESSES * 4}")


def main() -> int:
    print(f"Python {sys.version.split()[0]}")
    show_costs()
    show_counts()
    show_cases()
    if redis_program():
        show_shared_cases()
    show_stores()
    print("\nAll our own figures hold." if not missed else "\nMissed:\n  " + "\n  ".join(missed))
    return bool(missed)


if __name__ == "__main__":
    threading.stack_size(256 * 1024)
    sys.exit(main())
