"""Eight processes that increment one counter file under a lock, with one kind of lock after another.

All kinds take part in every round, so that whatever else the machine does disturbs all of them; each
round is led by another one. The processes start together: what it takes to start them counts for nobody.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Barrier

PROCESSES = 8

Enter = Callable[[], AbstractContextManager[Any]]
Make = Callable[[str], Enter]
"""From a path of its own to what is entered each time."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one process got in one round."""

    operations: int
    worst_wait: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Round:
    shares: tuple[Share, ...]
    seconds: float

    @property
    def per_second(self) -> float:
        return sum(share.operations for share in self.shares) / self.seconds

    @property
    def evenness(self) -> float:
        """The smallest share as a part of the largest."""
        counts = [share.operations for share in self.shares]
        return min(counts) / max(counts)

    @property
    def worst_wait_ms(self) -> float:
        return max(share.worst_wait for share in self.shares) * 1000

    @property
    def cpu_us(self) -> float:
        """Per operation, of all processes."""
        return sum(s.cpu for s in self.shares) / sum(s.operations for s in self.shares) * 1e6


class Counter:
    """A number in a file, changed in place: to truncate a file and write it anew makes the disk the benchmark."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT)

    def read(self) -> int:
        return int(os.pread(self._fd, 20, 0) or b"0")

    def increment(self) -> None:
        os.pwrite(self._fd, b"%020d" % (self.read() + 1), 0)


def compete(enter: Enter, counter: Counter, seconds: float) -> Share:
    operations, worst = 0, 0.0
    cpu, end = time.process_time(), time.monotonic() + seconds
    while (before := time.monotonic()) < end:
        with enter():
            worst = max(worst, time.monotonic() - before)
            counter.increment()
        operations += 1
    return Share(operations, worst, time.process_time() - cpu)


def in_turn(names: list[str], rounds: int) -> list[str]:
    """Each name once per round, each time another one first."""
    return [name for r in range(rounds) for name in names[r % len(names) :] + names[: r % len(names)]]


def take_part(
    kinds: Mapping[str, Make],
    order: list[str],
    directory: str,
    seconds: float,
    start: Barrier,
    answers: Queue[Any],
) -> None:
    enters = {name: make(f"{directory}/{i}.lock") for i, (name, make) in enumerate(kinds.items())}
    for at, name in enumerate(order):
        counter = Counter(Path(directory, f"{name}.counter"))
        start.wait()
        answers.put((at, compete(enters[name], counter, seconds)))


def contended(kinds: Mapping[str, Make], *, seconds: float, rounds: int) -> dict[str, list[Round]]:
    """Of each kind its rounds. A kind that loses an increment ends the benchmark."""
    context = multiprocessing.get_context("fork")
    order = in_turn(list(kinds), rounds)
    start, answers = context.Barrier(PROCESSES), context.Queue()
    with tempfile.TemporaryDirectory() as directory:
        arguments = (kinds, order, directory, seconds, start, answers)
        workers = [context.Process(target=take_part, args=arguments) for _ in range(PROCESSES)]
        for worker in workers:
            worker.start()
        shares: list[list[Share]] = [[] for _ in order]
        for _ in range(PROCESSES * len(order)):
            at, share = answers.get()
            shares[at].append(share)
        for worker in workers:
            worker.join()
        found: dict[str, list[Round]] = {name: [] for name in kinds}
        for name, of_round in zip(order, shares, strict=True):
            found[name].append(Round(tuple(of_round), seconds))
        for name, of_kind in found.items():
            counted = Counter(Path(directory, f"{name}.counter")).read()
            done = sum(share.operations for one in of_kind for share in one.shares)
            assert counted == done, f"{name} lost {done - counted} increments"
    return found


def median(rounds: list[Round], figure: str) -> float:
    return statistics.median(getattr(one, figure) for one in rounds)


def against(ours: list[Round], theirs: list[Round]) -> float:
    """How many operations of ours for one of theirs: the median of what each round says."""
    return statistics.median(a.per_second / b.per_second for a, b in zip(ours, theirs, strict=True))
