"""Whether a command waits for something that only the other command can give.

The answer comes from the kernel, not from a clock. A command waits

- when one of its processes is queued for a file lock that the other command holds;
- when all its threads sleep in calls that have no time limit, none of them on a socket: only another process can
  wake them, and all but its own are stopped; sockets within this machine count as well where the other command
  holds one, as it may be a server that is to answer;
- when it wakes again and again only to repeat what it did before: a loop of sleeps around a lock file;
- when it does nothing new and has used many times the processor time that it needs alone: a loop without sleeps.

In all cases but the last it uses next to no processor time meanwhile. A command that merely works slowly, or that
a busy machine does not let run, is runnable and not asleep.
"""

import time
from collections.abc import Collection
from dataclasses import dataclass, field

from racehound.processes import procfs
from racehound.processes.procfs import ThreadState
from racehound.processes.waits import is_endless

ROUNDS = 3
"""How often a loop of sleeps has to be seen coming round without anything new."""
STANDSTILL = 0.05
BUSY_SHARE = 0.5
SLACK = 5_000_000
"""Nanoseconds of processor time that looking at a lock may take, beside the share."""


@dataclass(slots=True)
class Watcher:
    """Looks at one command again and again, and remembers what it was like before."""

    known: set[tuple[str, str]] = field(default_factory=set)
    """Kinds of calls, and the directories they were made in: a name drawn anew each time is nothing new."""
    moved: float = field(default_factory=time.monotonic)
    """When the last progress was seen."""
    since: float = 0.0
    cpu: int = -1
    """Nanoseconds used when the present watch began; below zero if it has to begin anew."""
    slept: dict[int, tuple[int | None, int]] = field(default_factory=dict)
    """In which call each thread slept at the last look, and how often it had slept before."""
    rounds: dict[int, int] = field(default_factory=dict)
    """At how many looks a thread had been awake meanwhile, and slept in the same call again."""
    looks: int = 0
    endless: bool = False
    """Whether all threads slept without a time limit at the last look."""

    def saw(self, kind: str, directory: str) -> None:
        """A call was made; one of a new kind, or in another directory, is progress."""
        if (kind, directory) not in self.known:
            self.known.add((kind, directory))
            self.moved = time.monotonic()
            self.cpu = -1

    def is_at_a_standstill(self, now: float) -> bool:
        """Whether nothing new has been seen for long enough that it is worth looking at."""
        return now - self.moved > STANDSTILL

    def waits(self, found: list[ThreadState], processes: Collection[int], others: Collection[int]) -> bool:
        """To be asked when nothing has happened for a moment. `others` are the processes of the other command."""
        if not found or not all(state.asleep for state in found):
            self.looks = 0
            return False
        now, cpu = time.monotonic(), sum(state.cpu for state in found)
        if self.cpu < 0 or self._is_busy(cpu, now):
            self.since, self.cpu, self.looks = now, cpu, 0
            self.slept.clear()
            self.rounds.clear()
        self.looks += 1
        for state in found:
            self._note_round(state)
        endless, self.endless = self.endless, _all_endless(found, others)
        if self.looks < 2:
            return False
        if (endless and self.endless) or _waits_for_lock(processes, others):
            return True
        return max(self.rounds.values()) >= ROUNDS

    def _note_round(self, state: ThreadState) -> None:
        call, switches = self.slept.get(state.thread, (None, state.switches))
        again = call == state.call and state.switches > switches
        self.rounds[state.thread] = self.rounds.get(state.thread, 0) + again
        self.slept[state.thread] = (state.call, state.switches)

    def _is_busy(self, cpu: int, now: float) -> bool:
        return cpu - self.cpu > SLACK + (now - self.since) * 1e9 * BUSY_SHARE


def wait_for_each_other(processes: Collection[int], others: Collection[int]) -> bool:
    """Whether each is queued for a file lock that the other one holds."""
    return _waits_for_lock(processes, others) and _waits_for_lock(others, processes)


def spins(processes: Collection[int], limit: float) -> bool:
    """To be asked of a command at a standstill."""
    return sum(map(procfs.cpu_of, processes)) > limit


def stands_still(processes: Collection[int], stopped: int) -> bool:
    """Whether nothing of a command goes on while this thread of it is stopped, though nobody stops the others."""
    others = (thread for process in processes for thread in procfs.threads(process) if thread != stopped)
    states = (state for state in map(procfs.state_of, others) if state is not None)
    return all(state.letter in "ZX" or (state.asleep and is_endless(state)) for state in states)


def _waits_for_lock(processes: Collection[int], others: Collection[int]) -> bool:
    waits = procfs.lock_waits()
    return any(waits.get(process) in others for process in processes)


def _all_endless(found: list[ThreadState], others: Collection[int]) -> bool:
    alive = [state for state in found if state.letter not in "ZX"]
    if all(is_endless(state) for state in alive):
        return bool(alive)
    sockets = procfs.local_sockets()
    if sockets.isdisjoint(link for process in others for link in procfs.links(process)):
        return False
    return all(is_endless(state, sockets) for state in alive)
