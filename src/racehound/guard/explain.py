"""From a lock's record to the error that says who holds it and when to come back."""

from __future__ import annotations

import os

from racehound.guard import record
from racehound.guard.errors import LockHeld
from racehound.guard.holder import Holder, parse
from racehound.guard.lock_owners import LockOwner, lock_owners

SHORTEST_HINT_MS = 50
LONGEST_HINT_MS = 60_000


def lock_held(path: str, data: bytes, identity: tuple[int, int], *, waited_ms: int) -> LockHeld:
    holder = parse(data)
    owners = () if holder.may_be_alive else lock_owners(identity)
    return LockHeld(
        f"{_who(path, holder)}{_named(owners)} (waited {waited_ms / 1000:.1f}s)",
        lock_file=path,
        holder=holder,
        retry_after_ms=retry_after_ms(record.hold_us(data), holder.age_ms or 0, _chance()),
        suggestion=_suggestion(holder),
        detail=_detail(path, holder),
        duration_ms=waited_ms,
    )


def _who(path: str, holder: Holder) -> str:
    name = os.path.basename(path)
    if holder.pid is None:
        return f"Lock {name} is held by a process that left no record"
    place = "" if holder.is_local else f" on {holder.host}"
    age = f"age: {(holder.age_ms or 0) / 1000:.1f}s"
    if holder.is_known_dead:
        return f"Lock {name} was taken by PID {holder.pid}{place} ({age}), which is dead, and is still held"
    own = ", this very process" if holder.is_local and holder.pid == os.getpid() else ""
    return f"Lock {name} is held by PID {holder.pid}{own}{place} ({age}): {holder.argv or 'unknown command'}"


def _named(owners: tuple[LockOwner, ...]) -> str:
    names = ", ".join(f"PID {owner.pid} ({owner.command or 'unknown command'})" for owner in owners)
    return f"; the system names {names}" if names else ""


def _suggestion(holder: Holder) -> str:
    if holder.is_known_dead:
        return "Use --force-unlock: it names the processes that still hold the lock of the dead one"
    return "Wait for it to finish and try again after retry_after_ms; --force-unlock works only if it is dead"


def _detail(path: str, holder: Holder) -> str:
    pid = "unknown" if holder.pid is None else holder.pid
    age = "unknown" if holder.age_ms is None else holder.age_ms
    return f"lock_file={path} holder_pid={pid} holder_age_ms={age}"


def retry_after_ms(average_us: int, age_ms: int, chance: float) -> int:
    """When the lock is likely to be free, plus up to half of that.

    A holder that is within the usual time is expected to keep to it. One beyond it tells nothing
    but its age, and is expected to take half as long again. The random part keeps those who were
    refused together from coming back together.
    """
    average_ms = average_us / 1000
    expected = average_ms - age_ms if age_ms < average_ms else age_ms / 2
    expected = min(max(expected, SHORTEST_HINT_MS), LONGEST_HINT_MS)
    return round(expected * (1 + chance / 2))


def _chance() -> float:
    return int.from_bytes(os.urandom(2), "little") / 65536
