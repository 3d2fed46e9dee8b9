"""The one place that speaks to psycopg: sessions, each of which can hold locks."""

from __future__ import annotations

import os
import select
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from racehound.guard.stores.failures import StoreUnavailable
from racehound.guard.stores.postgres_calls import call
from racehound.guard.stores.postgres_names import session_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg

    Session = psycopg.Connection[tuple[Any, ...]]

_CONNECT_SECONDS = 5
# A host that vanishes says no goodbye: the server asks it, and ends its session after about half a
# minute without an answer. Connections through a unix socket have no use for this and ignore it.
_SERVER_SETTINGS = "-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"


class PostgresSessions:
    """Lends sessions, and keeps those that come back for the next borrower."""

    def __init__(self, url: str) -> None:
        try:
            import psycopg  # noqa: PLC0415 - the optional client, imported when a store is made
        except ImportError as error:
            raise StoreUnavailable(
                "The PostgreSQL store needs psycopg", retryable=False, suggestion="Install racehound[postgres]"
            ) from error
        self._psycopg = psycopg
        self.timeout_error = psycopg.errors.LockNotAvailable
        self._url = url
        self._mutex = threading.Lock()
        self._idle: list[Session] = []
        self._open: dict[Session, set[str]] = {}  # with the statements that are prepared there
        self._is_closed = False

    def lend(self) -> Session:
        return self._take_idle() or self._connect()

    def _take_idle(self) -> Session | None:
        while True:
            with self._mutex:
                if self._is_closed:
                    raise StoreUnavailable("The store is closed", retryable=False)
                if not self._idle:
                    return None
                session = self._idle.pop()
            if _is_quiet(session):
                return session
            self.throw_away(session)

    def _connect(self) -> Session:
        with self.reporting():
            session = self._psycopg.connect(
                self._url,
                autocommit=True,
                connect_timeout=_CONNECT_SECONDS,
                options=_SERVER_SETTINGS,
                application_name=session_name(),
            )
        with self._mutex:
            self._open[session] = set()
        return session

    def give_back(self, session: Session) -> None:
        with self._mutex:
            if not self._is_closed:
                self._idle.append(session)
                return
        self.throw_away(session)

    def call(self, session: Session, statement: str, *values: int) -> bool:
        return call(session, self._open.get(session, set()), statement, *values)

    @contextmanager
    def borrowed(self) -> Iterator[Session]:
        """A session for a question that has nothing to do with the lock."""
        with self.reporting():
            session = self.lend()
            try:
                yield session
            except BaseException:
                self.throw_away(session)
                raise
            self.give_back(session)

    def throw_away(self, session: Session) -> None:
        """End the session; the server then frees its locks."""
        with self._mutex:
            self._open.pop(session, None)
        with suppress(self._psycopg.Error):
            session.close()

    def close(self) -> None:
        self._is_closed = True
        for session in list(self._open):
            self.throw_away(session)
        self._idle.clear()

    def forget_parent(self) -> None:
        """In a forked child: let go of the sockets, or the sessions would outlive the parent.

        The null device takes their place. A closed number would soon be somebody else's, and the
        goodbye that libpq sends when it cleans up would end in a foreign file.
        """
        null = os.open(os.devnull, os.O_RDWR)
        for session in self._open:
            with suppress(self._psycopg.Error):  # one that the server ended has no socket any more
                os.dup2(null, session.fileno(), inheritable=False)
        os.close(null)
        self._mutex = threading.Lock()
        self._idle, self._open = [], {}

    @contextmanager
    def reporting(self) -> Iterator[None]:
        try:
            yield
        except (self._psycopg.OperationalError, self._psycopg.InterfaceError) as error:
            raise StoreUnavailable(f"PostgreSQL does not answer: {str(error).strip()}") from error


def _is_quiet(session: Session) -> bool:
    """A server says something to an idle session only to end it, as before a restart."""
    poll = select.poll()
    poll.register(session.fileno(), select.POLLIN)
    return not poll.poll(0)
