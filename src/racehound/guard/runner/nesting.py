"""A command run under a lock may itself run commands under that lock.

`racehound run -- git commit` starts a hook that calls `racehound run -- git add`: waiting for the
lock would be waiting for ourselves. The outer runner leaves a mark in the environment. A mark alone
proves nothing, as a background process keeps it after the outer runner has ended, so it counts only
while the process it names is the one that holds the lock.
"""

from collections.abc import Mapping
from pathlib import Path

from racehound.guard.holder import parse
from racehound.guard.lock import Lock

_VARIABLE = "RACEHOUND_RUN_LOCKS"


def marked(environment: Mapping[str, str], lock: Lock, pid: int) -> dict[str, str]:
    """The environment for a command that runs under this lock."""
    marks = [*environment.get(_VARIABLE, "").splitlines(), f"{pid} {lock.path}"]
    return {**environment, _VARIABLE: "\n".join(marks)}


def is_held_above(environment: Mapping[str, str], lock: Lock) -> bool:
    marks = environment.get(_VARIABLE, "").splitlines()
    holders = {pid for pid, _, path in (mark.partition(" ") for mark in marks) if path == lock.path}
    return bool(holders) and _holder_pid(lock) in holders


def _holder_pid(lock: Lock) -> str | None:
    try:
        holder = parse(Path(lock.path).read_bytes())
    except OSError:
        return None
    return str(holder.pid) if holder.may_be_alive else None
