"""Circuits shared by the processes of one machine, in an SQLite file.

Time is the wall clock of the machine, which all its processes share. The file is written without waiting
for the disk: after a power cut the newest changes may be missing, the file is whole all the same.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from racehound.guard.breaker.errors import StoreUnavailable
from racehound.guard.breaker.keeper import Transition
from racehound.guard.breaker.store import Failure, Reading, first_period
from racehound.guard.stores.breaker_row import COLUMNS, from_row, to_row

T = TypeVar("T")

CREATE = """
    CREATE TABLE IF NOT EXISTS racehound_circuits (
        namespace TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, version INTEGER NOT NULL,
        failures INTEGER NOT NULL, successes INTEGER NOT NULL, attempt INTEGER NOT NULL, until REAL NOT NULL,
        probes TEXT NOT NULL, leased INTEGER NOT NULL, last_failure TEXT NOT NULL,
        PRIMARY KEY (namespace, name)
    ) WITHOUT ROWID
"""
LIST = ", ".join(COLUMNS)
SELECT = f"SELECT {LIST} FROM racehound_circuits WHERE namespace = ? AND name = ?"  # noqa: S608 - constants
REPLACE = (
    f"INSERT OR REPLACE INTO racehound_circuits (namespace, name, {LIST}) VALUES (?, ?{', ?' * len(COLUMNS)})"  # noqa: S608 - constants
)
CREATE_ROW = REPLACE.replace("OR REPLACE", "OR IGNORE")
TRIPS = "state = 'closed' AND failures + 1 >= :limit"
FAIL = f"""
    UPDATE racehound_circuits SET
        failures = failures + 1,
        last_failure = :text,
        version = version + ({TRIPS}),
        attempt = attempt + ({TRIPS}),
        until = CASE WHEN {TRIPS} THEN :now + :open_for ELSE until END,
        state = CASE WHEN {TRIPS} THEN 'open' ELSE state END
    WHERE namespace = :namespace AND name = :name AND state <> 'disabled'
        AND (:version IS NULL OR version = :version)
    RETURNING {LIST}
"""  # noqa: S608 - constants


class SqliteBreakerStore:
    """Shared state in a file. Give every process the same path; the file is made where missing."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        namespace: str = "default",
        clock: Callable[[], float] = time.time,
        refresh_seconds: float = 0.1,
        retry_seconds: float = 1.0,
    ) -> None:
        self.path = os.fspath(path)
        self.namespace = namespace
        self.refresh_seconds = refresh_seconds
        self.retry_seconds = retry_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._connections: dict[int, sqlite3.Connection] = {}  # by process: none may be carried over a fork

    def read(self, name: str) -> Reading:
        now = self._clock()
        with self._connected() as connection:
            row = connection.execute(SELECT, (self.namespace, name)).fetchone()
            if row is None:
                connection.execute(CREATE_ROW, (self.namespace, name, *to_row(first_period(now))))
                row = connection.execute(SELECT, (self.namespace, name)).fetchone()
        return Reading(from_row(row), now)

    def change(self, name: str, transition: Transition[T]) -> tuple[Reading, T]:
        with self._connected() as connection, writing(connection):
            now = self._clock()
            row = connection.execute(SELECT, (self.namespace, name)).fetchone()
            before = first_period(now) if row is None else from_row(row)
            after, result = transition(before, now)
            if row is None or after is not before:
                connection.execute(REPLACE, (self.namespace, name, *to_row(after)))
        return Reading(after, now), result

    def fail(self, name: str, failure: Failure) -> Reading | None:
        now = self._clock()
        parameters = {
            "namespace": self.namespace,
            "name": name,
            "now": now,
            "version": failure.version,
            "limit": failure.limit,
            "open_for": failure.open_for,
            "text": failure.text or "",
        }
        with self._connected() as connection:
            row = connection.execute(FAIL, parameters).fetchone()
        return None if row is None else Reading(from_row(row), now)

    def close(self) -> None:
        with self._lock:
            connection = self._connections.pop(os.getpid(), None)
            if connection is not None:
                connection.close()

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection()
            except sqlite3.Error as error:
                raise StoreUnavailable(f"{self.path}: {error}") from error

    def _connection(self) -> sqlite3.Connection:
        process = os.getpid()
        if process not in self._connections:
            self._connections[process] = connect(self.path)
        return self._connections[process]


def connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=5.0, isolation_level=None, check_same_thread=False)
    try:
        with suppress(sqlite3.OperationalError):  # several processes switch a new file at once: one is enough
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(CREATE)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that takes the write lock at its start, so that what it reads stays true."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    except BaseException:  # also one of a signal handler, right after the transaction began
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
