"""Statements that take and give back a lock, without the detour through cursors.

A cursor of psycopg adapts values and rows for any statement there may be, which takes longer than the few
fixed ones of a lock. Each of them is prepared once in a session and then called by its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from racehound.guard.stores.postgres_sessions import Session

TRY = "SELECT pg_try_advisory_lock($1::bigint)"
WAIT = "SELECT pg_advisory_lock($1::bigint)"
# A materialised query is done before the next one begins, so the limit holds when the wait begins. It ends
# with the statement.
WAIT_LIMITED = """
WITH limited AS MATERIALIZED (SELECT set_config('lock_timeout', $2, true))
SELECT pg_advisory_lock($1::bigint) FROM limited
"""
UNLOCK = "SELECT pg_advisory_unlock($1::bigint)"

_NAMES = {TRY: b"rh_try", WAIT: b"rh_wait", WAIT_LIMITED: b"rh_wait_limited", UNLOCK: b"rh_unlock"}


def call(session: Session, prepared: set[str], statement: str, *values: int) -> bool:
    """Whether the server answers with true. `prepared` is what this session knows already."""
    name = _NAMES[statement]
    if statement not in prepared:
        session.pgconn.send_prepare(name, statement.encode())
        _answer(session)
        prepared.add(statement)
    session.pgconn.send_query_prepared(name, [b"%d" % value for value in values])
    return _answer(session) == b"t"


def _answer(session: Session) -> bytes:
    from psycopg import errors, generators, pq  # noqa: PLC0415 - the optional client

    (result,) = session.wait(generators.execute(session.pgconn))
    if result.status == pq.ExecStatus.TUPLES_OK:
        return result.get_value(0, 0) or b""
    if result.status != pq.ExecStatus.COMMAND_OK:
        raise errors.error_from_result(result)
    return b""
