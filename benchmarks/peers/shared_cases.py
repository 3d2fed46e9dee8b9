"""What goes wrong with circuits that several processes share, put to ours and to the peers that share on Redis.

E12 to E14, the herds of cold and warm processes, are in the benchmark itself.
"""

import asyncio
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from peers.breaker_child import ON_REDIS, interlock_for_coroutines_on
from peers.breakers import PeerSubject

from drivers.breaker import Broken, Result
from drivers.breaker_processes import NAME, crew, our_child, store_at
from racehound.guard import CircuitBreaker
from servers import Server

CHILD = str(Path(__file__).with_name("breaker_child.py"))
NEVER = 1_000_000
PROCESSES, THREADS, FAILURES = 4, 2, 25
PAUSE_SECONDS = 1.0
LONGEST_STALL = 0.5

Guarded = Callable[[Callable[[], Awaitable[None]]], Awaitable[None]]


def child_of(package: str, address: str, threshold: int) -> list[str]:
    return [sys.executable, CHILD, package, address, str(threshold)]


def failures_of_processes(argv: list[str]) -> Result:
    """E15: no failure is lost between a read and a write of the shared count."""
    expected = PROCESSES * THREADS * FAILURES
    with crew(argv, PROCESSES, THREADS) as callers:
        callers.count(FAILURES)
        counted = callers.total()
    return Result(passed=counted == expected, detail=f"{expected - counted} of {expected} lost")


def event_loop_goes_on(server: Server, guarded: Guarded) -> Result:
    """E16: a coroutine whose circuit waits for its store does not stop all others."""
    stall = asyncio.run(_longest_stall(server, guarded))
    return Result(passed=stall < LONGEST_STALL, detail=f"stands still for {stall:.2f} s of {PAUSE_SECONDS}")


async def _longest_stall(server: Server, guarded: Guarded) -> float:
    async def fail() -> None:
        raise Broken

    async def call() -> None:
        try:
            await guarded(fail)
        except Broken:
            return

    await call()
    resume = threading.Timer(PAUSE_SECONDS, server.resume)
    server.pause()
    resume.start()
    try:
        return await _gaps_during(call())
    finally:
        resume.join()


async def _gaps_during(work: Any) -> float:
    task, longest, last = asyncio.ensure_future(work), 0.0, time.monotonic()
    while not task.done():
        await asyncio.sleep(0.005)
        now = time.monotonic()
        longest, last = max(longest, now - last), now
    await task
    return longest


def ours_counted(server: Server) -> Result:
    return failures_of_processes(our_child(server.url))


def ours_in_a_loop(server: Server) -> Result:
    breaker = CircuitBreaker(NEVER, store=store_at(server.url))

    async def guarded(function: Callable[[], Awaitable[None]]) -> None:
        await breaker.guard(NAME)(function)()

    return event_loop_goes_on(server, guarded)


def peer_counted(package: str, server: Server) -> Result:
    if package not in ON_REDIS:
        raise NotImplementedError("no shared state")
    if package == "interlock-cb":
        raise NotImplementedError("the state is shared, counts stay with each process")
    return failures_of_processes(child_of(package, server.url, NEVER))


def peer_in_a_loop(package: str, server: Server) -> Result:
    if package not in ON_REDIS:
        raise NotImplementedError("no shared state")
    make = interlock_for_coroutines_on if package == "interlock-cb" else ON_REDIS[package]
    return event_loop_goes_on(server, PeerSubject(make(server.url, NEVER)).acall)
