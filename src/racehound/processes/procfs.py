"""What the kernel tells of processes that belong to us."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class ThreadState:
    thread: int
    letter: str
    """R running, S asleep, D in the disk, Z dead, T stopped."""
    cpu: int
    """Nanoseconds, or ticks where the kernel does not count finer."""
    switches: int
    """How often it gave up the processor to wait."""
    call: int | None
    """The system call it sleeps in; None if that is not told."""
    arguments: tuple[int, ...] = ()

    @property
    def asleep(self) -> bool:
        return self.letter in "SIZXtT"


def children(process: int) -> list[int]:
    found: list[int] = []
    for thread in threads(process):
        text = _text(PROC / str(process) / "task" / str(thread) / "children")
        found += [int(word) for word in text.split()]
    return found


def descendants(process: int) -> list[int]:
    """All processes below this one, parents before children."""
    found = children(process)
    for child in found:
        found.extend(children(child))
    return found


def threads(process: int) -> list[int]:
    try:
        return [int(entry) for entry in os.listdir(f"/proc/{process}/task")]  # noqa: PTH208 - asked for very often
    except OSError:
        return []


def process_of(thread: int) -> int:
    """The process a thread belongs to; the thread itself if it is gone."""
    for line in _text(PROC / str(thread) / "status").splitlines():
        if line.startswith("Tgid:"):
            return int(line.split()[1])
    return thread


def command_of(process: int) -> str:
    return _text(PROC / str(process) / "comm").strip()


def states(processes: list[int]) -> Iterator[ThreadState]:
    """Every thread of every process that is still there."""
    for process in processes:
        for thread in threads(process):
            state = state_of(thread)
            if state is not None:
                yield state


def state_of(thread: int) -> ThreadState | None:
    place = PROC / str(thread)
    fields = _text(place / "stat").rpartition(")")[2].split()
    if not fields:
        return None
    finer = _text(place / "schedstat").split()
    cpu = int(finer[0]) if finer else (int(fields[11]) + int(fields[12])) * 10_000_000
    call, arguments = _call_of(place)
    return ThreadState(thread, fields[0], cpu, _switches(place), call, arguments)


def _switches(place: Path) -> int:
    for line in _text(place / "status").splitlines():
        if line.startswith("voluntary_ctxt_switches:"):
            return int(line.split()[1])
    return 0


def _call_of(place: Path) -> tuple[int | None, tuple[int, ...]]:
    words = _text(place / "syscall").split()
    if len(words) < 8:  # running, or not told
        return None, ()
    return int(words[0]), tuple(int(word, 16) for word in words[1:7])


def lock_waits() -> dict[int, int]:
    """Which process waits for a file lock that which process holds."""
    waits: dict[int, int] = {}
    holders: dict[str, int] = {}
    for line in _text(PROC / "locks").splitlines():
        words = line.split()
        if words[1] == "->":
            waits[int(words[5])] = holders.get(words[0], 0)
        else:
            holders[words[0]] = int(words[4])
    return waits


def _text(path: Path) -> str:
    """Empty for what has ended or may not be looked at."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
