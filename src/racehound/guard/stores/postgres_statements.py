"""What is said to PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from racehound.guard.stores.postgres_sessions import Session

NAME = "SELECT set_config('application_name', %s, false)"
NAME_WITH_TIME = """
SELECT set_config(
    'application_name',
    %(process)s || ' ' || (extract(epoch FROM clock_timestamp()) * 1000)::bigint - %(age_ms)s || ' ' || %(host)s,
    false
)
"""

# A 64-bit key is shown as two halves; 1 says that it is one key and not two of 32 bits.
# A session that has said nothing since it took the lock has had it since its last change of state.
HOLDER = """
SELECT activity.application_name,
       (extract(epoch FROM activity.state_change) * 1000)::bigint,
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
       activity.pid
FROM pg_locks AS lock JOIN pg_stat_activity AS activity USING (pid)
WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 1
  AND lock.classid = ((%(key)s::bigint >> 32) & 4294967295)::oid
  AND lock.objid = (%(key)s::bigint & 4294967295)::oid
  AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
END_SESSION = "SELECT pg_terminate_backend(%s)"

READ = "SELECT document FROM racehound_config WHERE name = %s"
INSERT = "INSERT INTO racehound_config (name, document) VALUES (%(name)s, %(text)s) ON CONFLICT DO NOTHING"
UPDATE = "UPDATE racehound_config SET document = %(text)s WHERE name = %(name)s AND document = %(expected)s"
COUNT_ACQUISITION = """
INSERT INTO racehound_token AS known (name, token) VALUES (%s, 1)
ON CONFLICT (name) DO UPDATE SET token = known.token + 1 RETURNING token
"""

_HAS_TABLES = "SELECT to_regclass('racehound_config') IS NOT NULL AND to_regclass('racehound_token') IS NOT NULL"
# Two sessions that create a table "if it does not exist" can still collide; the number is arbitrary.
_CREATE_TABLES = """
SELECT pg_advisory_xact_lock(7237970109966541);
CREATE TABLE IF NOT EXISTS racehound_config (name text PRIMARY KEY, document text NOT NULL);
CREATE TABLE IF NOT EXISTS racehound_token (name text PRIMARY KEY, token bigint NOT NULL)
"""


def create_tables(session: Session) -> None:
    if session.execute(_HAS_TABLES).fetchone() == (True,):
        return
    with session.transaction():
        session.execute(_CREATE_TABLES)
