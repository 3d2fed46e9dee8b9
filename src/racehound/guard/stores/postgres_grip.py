"""A lock on PostgreSQL: an advisory lock of a session.

The server keeps the queue, wakes the next one at once and frees the lock when the session ends. The
session is also the fence: what a holder writes through it is refused once the session is gone. The
name of the application carries the record of the holder, as far as its 63 bytes go.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from racehound.guard.holder import UNKNOWN, Holder
from racehound.guard.identity import boot_id, host_name, own_start_time
from racehound.guard.stores import postgres_statements as statements
from racehound.guard.stores.failures import LockLost, StoreUnavailable
from racehound.guard.stores.holder_record import lock_held

if TYPE_CHECKING:
    from racehound.guard.errors import LockHeld
    from racehound.guard.stores.postgres_sessions import PostgresSessions, Session

_HOST_LENGTH = 24


class PostgresGrip:
    def __init__(self, sessions: PostgresSessions, name: str) -> None:
        self.label = f"postgres:{name}"
        self._sessions = sessions
        self._key = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), signed=True)
        self._session: Session | None = None
        self._token: int | None = None

    def take(self, timeout: float | None) -> bool:
        session = self._sessions.lend()
        try:
            with self._sessions.reporting():
                taken = self._try(session) or (timeout != 0 and self._wait(session, timeout))
        except BaseException:
            self._sessions.throw_away(session)
            raise
        if taken:
            self._session, self._token = session, None
        else:
            self._sessions.give_back(session)
        return taken

    def _try(self, session: Session) -> bool:
        row = session.execute(statements.TRY, self._facts()).fetchone()
        return row is not None and row[0] is not None

    def _wait(self, session: Session, timeout: float | None) -> bool:
        limit_ms = 0 if timeout is None else max(1, round(timeout * 1000))
        session.execute(statements.SET_TIMEOUT, (str(limit_ms),))
        try:
            session.execute(statements.WAIT, self._facts())
        except self._sessions.timeout_error:
            return False
        return True

    def _facts(self) -> dict[str, object]:
        pid = os.getpid()
        return {
            "key": self._key,
            "process": f"rh {pid} {own_start_time(pid) or '-'}",
            "host": host_name()[:_HOST_LENGTH],
        }

    def drop(self) -> bool:
        session, self._session = self.session, None
        try:
            with self._sessions.reporting():
                row = session.execute(statements.UNLOCK, (self._key,)).fetchone()
        except StoreUnavailable:
            self._sessions.throw_away(session)
            return False
        self._sessions.give_back(session)
        return row == (True,)

    def is_held(self) -> bool:
        return self._session is not None and not self._session.closed

    def confirm(self) -> bool:
        try:
            with self._sessions.reporting():
                self.session.execute("SELECT 1")
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
                statements.create_tables(self.session)
                ((self._token,),) = self.session.execute(statements.COUNT_ACQUISITION, (self.label,)).fetchall()
        return self._token

    def holder(self) -> Holder | None:
        row = self._look()
        return row and _parse(*row[:2])

    def refusal(self, waited_ms: int) -> LockHeld:
        # PostgreSQL keeps no past hold times; the age alone gives the hint.
        return lock_held(self.label, self.holder() or UNKNOWN, average_ms=0, waited_ms=waited_ms)

    def remove_dead_holder(self) -> bool:
        """End a session whose process is dead: a child that it forked keeps the connection open."""
        row = self._look()
        if row is None or not _parse(*row[:2]).is_known_dead:
            return False
        with self._sessions.borrowed() as session:
            return session.execute(statements.END_SESSION, (row[2],)).fetchone() == (True,)

    def _look(self) -> tuple[str, int, int] | None:
        with self._sessions.borrowed() as session:
            return session.execute(statements.HOLDER, {"key": self._key}).fetchone()

    def forget_parent(self) -> None:
        self._session = None
        self._sessions.forget_parent()


def _parse(application_name: str | None, now_ms: int) -> Holder:
    match (application_name or "").split(" ", 4):
        case ["rh", pid, start, since_ms, host] if pid.isdigit() and since_ms.isdigit():
            is_local = host == host_name()[:_HOST_LENGTH]
            return Holder(
                pid=int(pid),
                start="" if start == "-" else start,
                boot=boot_id() if is_local else "",  # its session lives, so its boot is this one
                host=host_name() if is_local else host,
                since=int(since_ms) / 1000,
                age_ms=max(0, now_ms - int(since_ms)),
            )
    return UNKNOWN
