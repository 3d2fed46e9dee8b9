"""Lock libraries side by side: cost alone, throughput and fairness among eight processes.

usage: python benchmarks/guard.py [SECONDS]

A library that is not installed is left out. The figures that count are of CPU time; the throughput
of a busy machine is noisy, but all libraries meet the same noise.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racehound.guard import Lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.queues import Queue

Enter = Callable[[], AbstractContextManager[Any]]

PROCESSES = 8
ALONE_ROUNDS = 400
REPEATS = 40
PATIENCE = 60


def racehound_lock(path: str) -> Enter:
    lock = Lock(path, timeout=PATIENCE)
    return lambda: lock


def racehound_fresh(path: str) -> Enter:
    return partial(Lock, path, timeout=PATIENCE)


def flock_kept(path: str) -> Enter:
    fcntl: Any = import_module("fcntl")
    file = Path(path).open("w", encoding="ascii")  # noqa: SIM115 - lives as long as the benchmark

    @contextmanager
    def locked() -> Iterator[None]:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)

    return locked


def filelock(path: str) -> Enter:
    lock = import_module("filelock").FileLock(path, timeout=PATIENCE)
    return lambda: lock


def portalocker(path: str) -> Enter:
    return partial(import_module("portalocker").Lock, path, timeout=PATIENCE)


def fasteners(path: str) -> Enter:
    lock = import_module("fasteners").InterProcessLock(path)
    return lambda: lock


def oslo(path: str) -> Enter:
    lockutils: Any = import_module("oslo_concurrency.lockutils")
    place = Path(path)
    return partial(lockutils.lock, place.name, external=True, lock_path=str(place.parent))


def flufl(path: str) -> Enter:
    lock = import_module("flufl.lock").Lock(path, default_timeout=PATIENCE)
    return lambda: lock


def zc_lockfile(path: str) -> Enter:
    zc: Any = import_module("zc.lockfile")

    @contextmanager
    def locked() -> Iterator[None]:
        while True:
            try:
                lock = zc.LockFile(path)
                break
            except zc.LockError:
                time.sleep(0.001)
        try:
            yield
        finally:
            lock.close()

    return locked


CANDIDATES: dict[str, Callable[[str], Enter]] = {
    "racehound.guard.Lock": racehound_lock,
    "racehound.guard.Lock, new object each time": racehound_fresh,
    "flock, descriptor kept, no record, no timeout": flock_kept,
    "filelock": filelock,
    "portalocker": portalocker,
    "fasteners": fasteners,
    "oslo.concurrency": oslo,
    "flufl.lock": flufl,
    "zc.lockfile, retried each ms": zc_lockfile,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    alone_us: float
    per_second: float
    smallest: int
    largest: int
    worst_wait_ms: float
    cpu_us: float


def alone_us(enter: Enter) -> float:
    """CPU microseconds for one acquisition and release, the best of several repeats."""
    best = float("inf")
    for _ in range(REPEATS):
        started = time.process_time()
        for _ in range(ALONE_ROUNDS):
            with enter():
                pass
        best = min(best, time.process_time() - started)
    return best / ALONE_ROUNDS * 1e6


def compete(name: str, directory: str, seconds: float, results: Queue[tuple[int, float, float]]) -> None:
    enter = CANDIDATES[name](f"{directory}/lock")
    counter = Path(directory, "counter")
    rounds, worst = 0, 0.0
    cpu, end = time.process_time(), time.monotonic() + seconds
    while (before := time.monotonic()) < end:
        with enter():
            worst = max(worst, time.monotonic() - before)
            counter.write_text(str(int(counter.read_text()) + 1))
        rounds += 1
    results.put((rounds, worst, time.process_time() - cpu))


def contended(name: str, seconds: float) -> tuple[list[int], float, float]:
    """Shares, worst wait and CPU time of processes that increment one counter file."""
    context = multiprocessing.get_context("fork")
    results: Queue[tuple[int, float, float]] = context.Queue()
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "counter").write_text("0")
        workers = [
            context.Process(target=compete, args=(name, directory, seconds, results)) for _ in range(PROCESSES)
        ]
        for worker in workers:
            worker.start()
        answers = [results.get() for _ in workers]
        for worker in workers:
            worker.join()
        shares = sorted(rounds for rounds, _, _ in answers)
        assert int(Path(directory, "counter").read_text()) == sum(shares), f"{name} lost an increment"
    return shares, max(worst for _, worst, _ in answers), sum(cpu for _, _, cpu in answers)


def measure(name: str, seconds: float) -> Figures:
    with tempfile.TemporaryDirectory() as directory:
        alone = alone_us(CANDIDATES[name](f"{directory}/lock"))
    shares, worst, cpu = contended(name, seconds)
    return Figures(
        alone_us=alone,
        per_second=sum(shares) / seconds,
        smallest=shares[0],
        largest=shares[-1],
        worst_wait_ms=worst * 1000,
        cpu_us=cpu / sum(shares) * 1e6,
    )


def main(seconds: float) -> None:
    print(
        "| lock | alone, CPU us | 8 processes: ops/s | smallest / largest share | worst wait ms | CPU us per op |"
    )
    print("|---|---|---|---|---|---|")
    for name in CANDIDATES:
        with contextlib.suppress(ModuleNotFoundError):
            f = measure(name, seconds)
            print(
                f"| {name} | {f.alone_us:.1f} | {f.per_second:.0f} | {f.smallest} / {f.largest} = "
                f"{f.smallest / f.largest:.2f} | {f.worst_wait_ms:.0f} | {f.cpu_us:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0)
