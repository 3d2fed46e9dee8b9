"""A lock on PostgreSQL: an advisory lock of a session.

The server keeps the queue, wakes the next one at once and frees the lock when the session ends. The
session is also the fence: what a holder writes through it is refused once the session is gone. The
name of the application carries the record of the holder, as far as its 63 bytes go. The time is added
when the session is used for something else under the lock; until then the server knows it.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

from racehound.guard.holder import UNKNOWN, Holder
from racehound.guard.identity import boot_id, host_name
from racehound.guard.stores import postgres_calls as calls
from racehound.guard.stores import postgres_statements as statements
from racehound.guard.stores.failures import LockLost, StoreUnavailable
from racehound.guard.stores.holder_record import lock_held
from racehound.guard.stores.postgres_names import own_host, process_name, session_name

if TYPE_CHECKING:
    from racehound.guard.errors import LockHeld
    from racehound.guard.stores.postgres_sessions import PostgresSessions, Session

_LONGEST_WAIT_MS = 2**31 - 1  # 24 days: what the server takes for a limit


class PostgresGrip:
    def __init__(self, sessions: PostgresSessions, name: str) -> None:
        self.label = f"postgres:{name}"
        self._sessions = sessions
        self._key = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), signed=True)
        self._session: Session | None = None
        self._taken = 0.0
        self._token: int | None = None
        self._has_named_time = False

    def take(self, timeout: float | None) -> bool:
        session = self._sessions.lend()
        try:
            with self._sessions.reporting():
                taken = self._lock(session, timeout)
            if taken:
                self._session, self._token, self._taken = session, None, time.monotonic()
                return True
        except BaseException:
            self._session = None
            self._sessions.throw_away(session)
            raise
        self._sessions.give_back(session)
        return False

    def _lock(self, session: Session, timeout: float | None) -> bool:
        if timeout == 0:
            return self._sessions.call(session, calls.TRY, self._key)
        try:
            if timeout is None:
                self._sessions.call(session, calls.WAIT, self._key)
            else:
                limit_ms = max(1, round(min(timeout * 1000, _LONGEST_WAIT_MS)))
                self._sessions.call(session, calls.WAIT_LIMITED, self._key, limit_ms)
        except self._sessions.timeout_error:
            return False
        return True

    def drop(self) -> bool:
        session, self._session = self.session, None
        try:
            with self._sessions.reporting():
                kept = self._sessions.call(session, calls.UNLOCK, self._key)
                self._forget_time(session)
        except StoreUnavailable:
            self._sessions.throw_away(session)
            return False
        except BaseException:  # interrupted: ending the session frees the lock in any case
            self._sessions.throw_away(session)
            raise
        self._sessions.give_back(session)
        return kept

    def _name_time(self) -> None:
        """Say since when the lock is held, before the session is used for something else."""
        age_ms = round((time.monotonic() - self._taken) * 1000)
        process, host = process_name()
        facts = {"process": process, "age_ms": age_ms, "host": host}
        self.session.execute(statements.NAME_WITH_TIME, facts)
        self._has_named_time = True

    def _forget_time(self, session: Session) -> None:
        if self._has_named_time:
            self._has_named_time = False
            session.execute(statements.NAME, (session_name(),))

    def is_held(self) -> bool:
        return self._session is not None and not self._session.closed

    def confirm(self) -> bool:
        try:
            with self._sessions.reporting():
                self._name_time()
        except (StoreUnavailable, LockLost):
            return False
        return True

    @property
    def session(self) -> Session:
        """The session that holds the lock: what is written through it is written under the lock."""
        if self._session is None:
            raise LockLost(f"Lock {self.label} is not held by this process")
        return self._session

    def token(self) -> int:
        """Counted in a table, so that it grows over restarts; and only for those who ask."""
        if self._token is None:
            with self._sessions.reporting():
                self._name_time()
                statements.create_tables(self.session)
                ((self._token,),) = self.session.execute(statements.COUNT_ACQUISITION, (self.label,)).fetchall()
        return self._token

    def holder(self) -> Holder | None:
        row = self._look()
        return row and _parse(*row[:3])

    def refusal(self, waited_ms: int) -> LockHeld:
        # PostgreSQL keeps no past hold times; the age alone gives the hint.
        return lock_held(self.label, self.holder() or UNKNOWN, average_ms=0, waited_ms=waited_ms)

    def remove_dead_holder(self) -> bool:
        """End a session whose process is dead: a child that it forked keeps the connection open."""
        row = self._look()
        if row is None or not _parse(*row[:3]).is_known_dead:
            return False
        with self._sessions.borrowed() as session:
            return session.execute(statements.END_SESSION, (row[3],)).fetchone() == (True,)

    def _look(self) -> tuple[str, int, int, int] | None:
        with self._sessions.borrowed() as session:
            return session.execute(statements.HOLDER, {"key": self._key}).fetchone()

    def forget_parent(self) -> None:
        self._session = None
        self._sessions.forget_parent()


def _parse(application_name: str | None, state_change_ms: int, now_ms: int) -> Holder:
    match (application_name or "").split(" ", 4):
        case ["rh", pid, start, since, host] if pid.isdigit() and (since == "-" or since.isdigit()):
            is_local = host == own_host()
            since_ms = state_change_ms if since == "-" else int(since)
            return Holder(
                pid=int(pid),
                start="" if start == "-" else start,
                boot=boot_id() if is_local else "",  # its session lives, so its boot is this one
                host=host_name() if is_local else host,
                since=since_ms / 1000,
                age_ms=max(0, now_ms - since_ms),
            )
    return UNKNOWN
