"""Circuits shared by several hosts, in PostgreSQL. Time is that of the server.

The table is unlogged: a change costs no wait for the disk, and after a crash of the server the circuits
start closed.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from racehound.guard.breaker.errors import StoreUnavailable
from racehound.guard.breaker.keeper import Transition
from racehound.guard.breaker.store import Failure, Reading
from racehound.guard.stores.breaker_row import COLUMNS, from_row, to_row

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")

CREATE = """
    CREATE UNLOGGED TABLE IF NOT EXISTS racehound_circuits (
        namespace text, name text, version bigint NOT NULL, state text NOT NULL DEFAULT 'closed',
        failures bigint NOT NULL DEFAULT 0, successes bigint NOT NULL DEFAULT 0,
        attempt bigint NOT NULL DEFAULT 0, until double precision NOT NULL DEFAULT 0,
        probes text NOT NULL DEFAULT '[]', leased bigint NOT NULL DEFAULT 0,
        last_failure text NOT NULL DEFAULT '', PRIMARY KEY (namespace, name)
    )
"""
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('racehound_circuits'))"
LIST = ", ".join(COLUMNS)
NOW = "extract(epoch FROM clock_timestamp())::double precision"
SELECT = f"SELECT {NOW}, {LIST} FROM racehound_circuits WHERE namespace = %s AND name = %s"  # noqa: S608 - constants
LOCK = f"{SELECT} FOR UPDATE"
CREATE_ROW = f"""
    INSERT INTO racehound_circuits (namespace, name, version)
    VALUES (%s, %s, ({NOW} * 1000)::bigint) ON CONFLICT DO NOTHING
"""  # noqa: S608 - constants
SET = ", ".join(f"{column} = %s" for column in COLUMNS)
UPDATE = f"UPDATE racehound_circuits SET {SET} WHERE namespace = %s AND name = %s"  # noqa: S608 - constants
TRIPS = "(state = 'closed' AND failures + 1 >= %(limit)s)"
FAIL = f"""
    UPDATE racehound_circuits SET
        failures = failures + 1,
        last_failure = %(text)s,
        version = version + {TRIPS}::int,
        attempt = attempt + {TRIPS}::int,
        until = CASE WHEN {TRIPS} THEN {NOW} + %(open_for)s ELSE until END,
        state = CASE WHEN {TRIPS} THEN 'open' ELSE state END
    WHERE namespace = %(namespace)s AND name = %(name)s AND state <> 'disabled'
        AND (%(version)s::bigint IS NULL OR version = %(version)s::bigint)
    RETURNING {NOW}, {LIST}
"""  # noqa: S608 - constants


class PostgresBreakerStore:
    """Shared state in a PostgreSQL table, made where missing. `conninfo` is a libpq address."""

    def __init__(
        self,
        conninfo: str,
        *,
        namespace: str = "default",
        timeout: float = 2.0,
        refresh_seconds: float = 0.5,
        retry_seconds: float = 1.0,
    ) -> None:
        import psycopg  # noqa: PLC0415 - an extra, needed by this store alone

        self.conninfo = conninfo
        self.namespace = namespace
        self.timeout = timeout
        self.refresh_seconds = refresh_seconds
        self.retry_seconds = retry_seconds
        self._psycopg = psycopg
        self._lock = threading.Lock()
        self._connections: dict[int, psycopg.Connection] = {}  # by process: none may be carried over a fork

    def read(self, name: str) -> Reading:
        with self._connected() as connection:
            row = connection.execute(SELECT, (self.namespace, name)).fetchone()
        if row is None:
            return self.change(name, lambda period, _: (period, None))[0]
        return Reading(from_row(row[1:]), row[0])

    def change(self, name: str, transition: Transition[T]) -> tuple[Reading, T]:
        key = (self.namespace, name)
        with self._connected() as connection, connection.transaction():
            row = connection.execute(LOCK, key).fetchone()
            if row is None:
                connection.execute(CREATE_ROW, key)
                row = connection.execute(LOCK, key).fetchone()
            if row is None:
                raise StoreUnavailable("postgres: somebody deleted the row that was made for this circuit")
            now, before = row[0], from_row(row[1:])
            after, result = transition(before, now)
            if after is not before:
                connection.execute(UPDATE, (*to_row(after), *key))
        return Reading(after, now), result

    def fail(self, name: str, failure: Failure) -> Reading | None:
        parameters = {
            "namespace": self.namespace,
            "name": name,
            "version": failure.version,
            "limit": failure.limit,
            "open_for": failure.open_for,
            "text": (failure.text or "").replace("\0", ""),
        }
        with self._connected() as connection:
            row = connection.execute(FAIL, parameters).fetchone()
        return None if row is None else Reading(from_row(row[1:]), row[0])

    def close(self) -> None:
        with self._lock:
            connection = self._connections.pop(os.getpid(), None)
            if connection is not None:
                connection.close()

    @contextmanager
    def _connected(self) -> Iterator["psycopg.Connection"]:
        with self._lock:
            try:
                yield self._connection()
            except self._psycopg.Error as error:
                raise StoreUnavailable(f"postgres: {error}") from error

    def _connection(self) -> "psycopg.Connection":
        process = os.getpid()
        connection = self._connections.get(process)
        if connection is None or connection.closed:
            connection = self._connections[process] = self._connect()
        return connection

    def _connect(self) -> "psycopg.Connection":
        milliseconds = int(self.timeout * 1000)
        connection = self._psycopg.connect(
            self.conninfo,
            autocommit=True,
            connect_timeout=max(1, int(self.timeout)),
            options=f"-c statement_timeout={milliseconds} -c lock_timeout={milliseconds}",
        )
        with connection.transaction():
            # Two sessions that create the same table at once would collide in the catalogue.
            connection.execute(ONE_AT_A_TIME)
            connection.execute(CREATE)
        return connection
