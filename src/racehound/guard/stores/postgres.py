"""Locks and configuration on PostgreSQL."""

from racehound.guard.stores import postgres_statements as statements
from racehound.guard.stores.failures import LockLost, StoreUnavailable
from racehound.guard.stores.postgres_grip import PostgresGrip
from racehound.guard.stores.postgres_sessions import PostgresSessions
from racehound.guard.stores.server_config import ServerConfig
from racehound.guard.stores.server_lock import ServerLock
from racehound.guard.timeouts import DEFAULT_TIMEOUT


class PostgresStore:
    """Locks and configuration that all hosts with access to one PostgreSQL database share.

    A lock belongs to a session of the server and ends with it, at once when the holder is killed
    and after about half a minute when its host vanishes. A holder that is only paused keeps it.
    The tables for configuration and fencing tokens are made when they are first needed.

    Args:
        url: Such as `postgresql://user@host/database`.
    """

    def __init__(self, url: str) -> None:
        self._sessions = PostgresSessions(url)

    def lock(self, name: str, timeout: float | None = DEFAULT_TIMEOUT) -> ServerLock:
        """The lock of that name; arguments as for `guard.Lock`."""
        return ServerLock(PostgresGrip(self._sessions, name), timeout=timeout)

    def config(self, name: str, *, lock_timeout: float | None = DEFAULT_TIMEOUT) -> ServerConfig:
        """The configuration of that name; it has a lock of its own."""
        grip = PostgresGrip(self._sessions, f"config/{name}")
        lock = ServerLock(grip, timeout=lock_timeout)
        return ServerConfig(lock, _PostgresDocument(self._sessions, name, grip))

    def close(self) -> None:
        self._sessions.close()


class _PostgresDocument:
    def __init__(self, sessions: PostgresSessions, name: str, grip: PostgresGrip) -> None:
        self.label = f"postgres:{name}"
        self._sessions = sessions
        self._name = name
        self._grip = grip

    def read(self) -> str:
        with self._sessions.borrowed() as session:
            statements.create_tables(session)
            row = session.execute(statements.READ, (self._name,)).fetchone()
        return row[0] if row else ""

    def write(self, expected: str, text: str) -> bool:
        """Through the session that holds the lock: it fails when the lock is gone."""
        facts = {"name": self._name, "text": text, "expected": expected}
        statement = statements.UPDATE if expected else statements.INSERT
        try:
            with self._sessions.reporting():
                return self._grip.session.execute(statement, facts).rowcount == 1
        except StoreUnavailable as error:
            raise LockLost(
                f"The session with the lock of {self.label} ended while the change was written",
                suggestion="Read the configuration to see whether the change is there, or repeat it",
            ) from error
