"""What a holder tells the server about itself, and what the server tells the next caller."""

import json
import os
import random
import sys

from racehound.guard.errors import LockHeld
from racehound.guard.explain import retry_after_ms
from racehound.guard.holder import UNKNOWN, Holder
from racehound.guard.identity import boot_id, host_name, own_start_time


def own_record(session: str) -> str:
    pid = os.getpid()
    process = {"pid": pid, "start": own_start_time(pid), "boot": boot_id(), "host": host_name()}
    return json.dumps(process | {"session": session, "argv": " ".join(sys.argv)[:200]})


def holder_from(record: str, *, since_ms: int, now_ms: int) -> Holder:
    """Both times are the server's, so clocks of different hosts do not matter."""
    try:
        facts = json.loads(record)
        words = {name: str(facts[name]) for name in ("start", "boot", "host", "session", "argv")}
        age_ms = max(0, now_ms - since_ms)
        return Holder(pid=int(facts["pid"]), since=since_ms / 1000, age_ms=age_ms, **words)
    except (ValueError, KeyError, TypeError):
        return UNKNOWN


def lock_held(lock: str, holder: Holder, *, average_ms: float, waited_ms: int) -> LockHeld:
    """The error for a lock that was not free in time."""
    age_ms = holder.age_ms or 0
    chance = random.random()  # noqa: S311 - jitter, not a secret
    return LockHeld(
        f"Lock {lock} is held by {_who(holder)} (waited {waited_ms / 1000:.1f}s)",
        lock_file=lock,
        holder=holder,
        retry_after_ms=retry_after_ms(round(average_ms * 1000), age_ms, chance),
        suggestion="Wait for it to finish and try again after retry_after_ms",
        detail=f"lock_file={lock} holder_pid={holder.pid or 'unknown'} holder_age_ms={age_ms}",
        duration_ms=waited_ms,
    )


def _who(holder: Holder) -> str:
    if holder.pid is None:
        return "a process that left no record"
    return f"PID {holder.pid} on {holder.host} (age: {(holder.age_ms or 0) / 1000:.1f}s): {holder.argv}"
