"""What the kernel tells of processes that belong to us."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

MOST = 1 << 16
WALL = 0x40000000
"""__WALL: also children that were started in unusual ways."""


@dataclass(frozen=True, slots=True)
class ThreadState:
    thread: int
    letter: str
    """R running, S asleep, D in the disk, Z dead, T stopped, t stopped by whoever traces it."""
    cpu: int
    """Nanoseconds, or ticks where the kernel does not count finer."""
    switches: int
    """How often it gave up the processor to wait."""
    call: int | None
    """The system call it sleeps in; None if that is not told."""
    arguments: tuple[int, ...] = ()

    @property
    def asleep(self) -> bool:
        return self.letter in "SIZXT"


def children(process: int) -> list[int]:
    found: list[int] = []
    for thread in threads(process):
        text = _text(f"/proc/{process}/task/{thread}/children")
        found += [int(word) for word in text.split()]
    return found


def own_children() -> list[int]:
    """As a rule there is none, which one call to the kernel tells."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT | WALL)
    except ChildProcessError:
        return []
    return children(os.getpid())


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
    for line in _text(f"/proc/{thread}/status").splitlines():
        if line.startswith("Tgid:"):
            return int(line.split()[1])
    return thread


def states(processes: list[int]) -> Iterator[ThreadState]:
    """Every thread of every process that is still there."""
    for process in processes:
        for thread in threads(process):
            state = state_of(thread)
            if state is not None:
                yield state


def state_of(thread: int) -> ThreadState | None:
    place = f"/proc/{thread}"
    fields = _text(f"{place}/stat").rpartition(")")[2].split()
    if not fields:
        return None
    finer = _text(f"{place}/schedstat").split()
    cpu = int(finer[0]) if finer else (int(fields[11]) + int(fields[12])) * 10_000_000
    call, arguments = _call_of(place)
    return ThreadState(thread, fields[0], cpu, _switches(place), call, arguments)


def cpu_of(process: int) -> float:
    """Seconds, of the process and of those of its children that have ended; nothing if it is gone."""
    fields = _text(f"/proc/{process}/stat").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _switches(place: str) -> int:
    for line in _text(f"{place}/status").splitlines():
        if line.startswith("voluntary_ctxt_switches:"):
            return int(line.split()[1])
    return 0


def _call_of(place: str) -> tuple[int | None, tuple[int, ...]]:
    words = _text(f"{place}/syscall").split()
    if len(words) < 8:  # running, or not told
        return None, ()
    return int(words[0]), tuple(int(word, 16) for word in words[1:7])


def links(process: int) -> Iterator[str]:
    """What the descriptors of a process lead to."""
    place = f"/proc/{process}/fd"
    try:
        for descriptor in os.listdir(place):  # noqa: PTH208 - names only
            yield os.readlink(f"{place}/{descriptor}")  # noqa: PTH115 - links to no path
    except OSError:
        return


def local_sockets() -> frozenset[str]:
    """The sockets by which processes of this machine talk to each other, as links show them."""
    lines = _text("/proc/net/unix").splitlines()[1:]
    return frozenset(f"socket:[{line.split()[6]}]" for line in lines)


def lock_waits() -> dict[int, int]:
    """Which process waits for a file lock that which process holds."""
    waits: dict[int, int] = {}
    holders: dict[str, int] = {}
    for line in _text("/proc/locks").splitlines():
        words = line.split()
        if words[1] == "->":
            waits[int(words[5])] = holders.get(words[0], 0)
        else:
            holders[words[0]] = int(words[4])
    return waits


def _text(path: str) -> str:
    """Empty for what has ended or may not be looked at."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        parts = iter(lambda: os.read(descriptor, MOST), b"")
        return b"".join(parts).decode(errors="replace")
    except OSError:
        return ""
    finally:
        os.close(descriptor)
