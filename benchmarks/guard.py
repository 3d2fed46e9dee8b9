"""Lock libraries side by side: cost alone, throughput and fairness among eight processes.

usage: python benchmarks/guard.py [SECONDS [ROUNDS]]

A library that is not installed is left out (`nox -s bench` installs them). All of them take part in every
round, medians count, and comparisons are made within a round: a busy machine disturbs all of them alike.
Exit status 1 if one of our own figures is missed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from peers.contention import Enter, Make, against, contended, median

from racehound.guard import Lock

if TYPE_CHECKING:
    from collections.abc import Iterator

ALONE_ROUNDS = 400
REPEATS = 40
PATIENCE = 60
LIMIT_ALONE_US = 10
LIMIT_EVENNESS = 1 / 3
OURS = "racehound.guard.Lock"


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


OURS_OR_BARE: dict[str, Make] = {
    OURS: racehound_lock,
    "racehound.guard.Lock, new object each time": racehound_fresh,
    "flock, descriptor kept, no record, no timeout": flock_kept,
}
LIBRARIES: dict[str, tuple[str, Make]] = {
    "filelock": ("filelock", filelock),
    "portalocker": ("portalocker", portalocker),
    "fasteners": ("fasteners", fasteners),
    "oslo.concurrency": ("oslo_concurrency", oslo),
    "flufl.lock": ("flufl.lock", flufl),
    "zc.lockfile, retried each ms": ("zc.lockfile", zc_lockfile),
}


def is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package that it would be in
        return False


def alone_us(make: Make) -> float:
    """CPU microseconds for one acquisition and release, the best of several repeats."""
    best = float("inf")
    with tempfile.TemporaryDirectory() as directory:
        enter = make(f"{directory}/lock")
        for _ in range(REPEATS):
            started = time.process_time()
            for _ in range(ALONE_ROUNDS):
                with enter():
                    pass
            best = min(best, time.process_time() - started)
    return best / ALONE_ROUNDS * 1e6


def main(seconds: float = 1.0, rounds: float = 9) -> int:
    libraries = {name: make for name, (module, make) in LIBRARIES.items() if is_installed(module)}
    kinds = OURS_OR_BARE | libraries
    found = contended(kinds, seconds=seconds, rounds=int(rounds))
    alone = {name: alone_us(make) for name, make in kinds.items()}
    print(
        "| lock | alone, CPU us | 8 processes: ops/s | ours to theirs | smallest / largest share | worst wait ms "
        "| CPU us per op |\n|---|---|---|---|---|---|---|"
    )
    for name in kinds:
        print(
            f"| {name} | {alone[name]:.1f} | {median(found[name], 'per_second'):.0f} "
            f"| {against(found[OURS], found[name]):.2f} | {median(found[name], 'evenness'):.2f} "
            f"| {median(found[name], 'worst_wait_ms'):.0f} | {median(found[name], 'cpu_us'):.0f} |"
        )
    checks = {
        f"alone: at most {LIMIT_ALONE_US} us": alone[OURS] <= LIMIT_ALONE_US,
        "contended: as many operations as any library": all(
            against(found[OURS], found[name]) >= 1 for name in libraries
        ),
        "the smallest share is a third of the largest": median(found[OURS], "evenness") >= LIMIT_EVENNESS,
    }
    for what, holds in checks.items():
        print(f"{'holds' if holds else 'MISSED'}: {what}")
    return int(not all(checks.values()))


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:])))
