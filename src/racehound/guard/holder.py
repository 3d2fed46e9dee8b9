"""Who holds a lock, as far as its record tells."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import isfinite

from racehound.guard import record
from racehound.guard.identity import boot_id, host_name, is_running


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """The process named in a lock's record. All is unknown where the record says nothing."""

    pid: int | None = None
    start: str = ""
    boot: str = ""
    host: str = ""
    session: str = ""
    argv: str = ""
    since: float | None = None
    """Time of day, in seconds since 1970."""
    age_ms: int | None = None

    @property
    def is_local(self) -> bool:
        return self.host == host_name()

    @property
    def is_known_dead(self) -> bool:
        """True only if the recorded process ran on this host and certainly ended."""
        if self.pid is None or not self.is_local:
            return False
        return self.boot != boot_id() or not is_running(self.pid, self.start)

    @property
    def may_be_alive(self) -> bool:
        return self.pid is not None and not self.is_known_dead


UNKNOWN = Holder()


def parse(data: bytes) -> Holder:
    """The holder named by a record; `UNKNOWN` where it is free, torn or not ours."""
    facts = record.fields(data)
    try:
        pid, since_ns, offset = int(facts["pid"]), int(facts["since_ns"]), float(facts["clock_offset"])
    except (KeyError, ValueError):
        return UNKNOWN
    if not isfinite(offset):
        return UNKNOWN
    words = {name: facts.get(name, "") for name in ("start", "boot", "host", "session", "argv")}
    if since_ns <= record.free_ns(data):
        return UNKNOWN
    since = since_ns / 1e9 + offset
    return Holder(pid=pid, since=since, age_ms=_age_ms(words["boot"], since, since_ns), **words)


def _age_ms(boot: str, since: float, since_ns: int) -> int:
    """Clocks may be set, so the steady one counts wherever both processes share it."""
    shared = boot and boot == boot_id()
    seconds = (time.monotonic_ns() - since_ns) / 1e9 if shared else time.time() - since
    return max(0, round(seconds * 1000))
