"""What can happen to a lock on PostgreSQL while it is held."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from racehound.guard import ConcurrentModification, LockHeld
from racehound.guard.cancelled import Cancelled
from racehound.guard.stores.failures import LockLost, StoreUnavailable
from racehound.guard.stores.postgres import PostgresStore
from racehound.guard.stores.postgres_grip import PostgresGrip
from servers import Server, postgres_server, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")

PRELUDE = """
import os, signal, subprocess, sys
from racehound.guard.stores.failures import LockLost
from racehound.guard.stores.postgres import PostgresStore
store = PostgresStore(sys.argv[1])
def say(word):
    print(word, flush=True)
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgres_server() as server:
        yield server


@pytest.fixture
def store(server: Server) -> Iterator[PostgresStore]:
    store = PostgresStore(server.url)
    yield store
    store.close()


@pytest.fixture
def admin(server: Server) -> Iterator[Connection]:
    with psycopg.connect(server.url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def start(server: Server, code: str, name: str) -> subprocess.Popen[str]:
    argv = [sys.executable, "-c", PRELUDE + code, server.url, name]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def end_sessions_with_locks(admin: Connection) -> None:
    admin.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted")
    wait_until(
        lambda: admin.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == (0,),
        what="the sessions to end",
    )


def end_idle_sessions(admin: Connection) -> None:
    ours = "FROM pg_stat_activity WHERE application_name LIKE 'rh %'"
    admin.execute(f"SELECT pg_terminate_backend(pid) {ours}")
    wait_until(lambda: not admin.execute(f"SELECT 1 {ours}").fetchall(), what="the sessions to end")


def waiters(admin: Connection) -> int:
    row = admin.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").fetchone()
    assert row is not None
    return int(row[0])


def test_cut_connection_loses_the_lock(store: PostgresStore, admin: Connection, name: str) -> None:
    lock = store.lock(name).acquire()
    end_sessions_with_locks(admin)

    with pytest.raises(LockLost):
        lock.check()
    with pytest.raises(LockLost):
        lock.release()
    with store.lock(name, timeout=0):
        pass


def test_child_forked_after_the_server_ended_a_session_has_none_of_its_parent(
    server: Server, admin: Connection, name: str
) -> None:
    code = """
lock = store.lock(sys.argv[2]).acquire()
say("held")
sys.stdin.readline()
try:
    lock.check()
except LockLost:
    say("lost")
child = os.fork()
if child == 0:
    say(len(store._sessions._open))
    os._exit(0)
os.waitpid(child, 0)
"""
    process = start(server, code, name)
    assert heard(process) == "held"
    end_sessions_with_locks(admin)
    output, _ = process.communicate("\n")

    assert output.split() == ["lost", "0"]


def test_age_of_the_holder_counts_from_the_acquisition(store: PostgresStore, name: str) -> None:
    """Also when its session did something else since, and not beyond the release."""
    lock = store.lock(name)
    grip = lock._grip
    assert isinstance(grip, PostgresGrip)
    ages = []
    for _ in range(2):
        with lock:
            ages.append(_age_ms(grip))
            grip._taken -= 100
            lock.check()
            ages.append(_age_ms(grip))

    assert [age > 100_000 for age in ages] == [False, True] * 2


def _age_ms(grip: PostgresGrip) -> int:
    holder = grip.holder()
    assert holder is not None
    assert holder.age_ms is not None
    return holder.age_ms


def test_lock_that_is_lost_is_noticed_at_the_release(store: PostgresStore, admin: Connection, name: str) -> None:
    lock = store.lock(name).acquire()
    end_sessions_with_locks(admin)

    with pytest.raises(LockLost):
        lock.release()
    assert not lock.is_held


def test_paused_holder_keeps_the_lock_and_cannot_write_once_it_is_taken_away(
    server: Server, store: PostgresStore, admin: Connection, name: str
) -> None:
    code = """
def change(config):
    say("read")
    os.kill(os.getpid(), signal.SIGSTOP)
    return {"stale": True}
try:
    store.config(sys.argv[2]).update(change)
except LockLost:
    say("lost")
"""
    holder = start(server, code, name)
    assert heard(holder) == "read"
    config = store.config(name, lock_timeout=0.02)

    with pytest.raises(LockHeld) as caught:
        config.set("fresh", value=False)
    end_sessions_with_locks(admin)
    config.set("fresh", value=True)
    holder.send_signal(signal.SIGCONT)

    assert caught.value.holder.pid == holder.pid
    assert heard(holder) == "lost"
    assert config.read() == {"fresh": True}
    holder.communicate()


@pytest.mark.slow
def test_killed_server_is_unavailable_and_usable_after_its_restart() -> None:
    with postgres_server() as server:
        store = PostgresStore(server.url)
        held = store.lock("held").acquire()
        with store.lock("other") as lock:
            token = lock.fencing_token
        server.kill()

        with pytest.raises(StoreUnavailable):
            store.lock("other").acquire()
        with pytest.raises(LockLost):
            held.release()

        server.start()
        with store.lock("held", timeout=0), store.lock("other", timeout=0) as lock:
            assert lock.fencing_token > token
        store.close()


def test_session_kept_since_before_a_restart_is_replaced(
    store: PostgresStore, admin: Connection, name: str
) -> None:
    with store.lock(name):
        pass
    end_idle_sessions(admin)

    with store.lock(name):
        pass


def test_session_of_a_dead_holder_can_be_ended(server: Server, store: PostgresStore, name: str) -> None:
    code = """
lock = store.lock(sys.argv[2]).acquire()
os.set_inheritable(lock._grip.session.fileno(), True)
say(subprocess.Popen(["sleep", "60"], close_fds=False, stdout=subprocess.DEVNULL).pid)
signal.pause()
"""
    holder = start(server, code, name)
    orphan = int(heard(holder))
    holder.kill()
    holder.communicate()

    unlocked = store.lock(name).force_unlock()

    assert (unlocked.replaced, unlocked.holder.pid) == (True, holder.pid)
    with store.lock(name):
        pass
    os.kill(orphan, signal.SIGKILL)


def test_holder_that_is_not_ours_is_unknown(store: PostgresStore, admin: Connection, name: str) -> None:
    lock = store.lock(name, timeout=0)
    assert isinstance(lock._grip, PostgresGrip)
    admin.execute("SELECT pg_advisory_lock(%s)", (lock._grip._key,))

    with pytest.raises(LockHeld, match="left no record") as caught:
        lock.acquire()
    with pytest.raises(LockHeld):
        lock.force_unlock()

    assert caught.value.holder.pid is None


def test_signal_ends_the_wait(store: PostgresStore, admin: Connection, name: str) -> None:
    def interrupt() -> None:
        wait_until(lambda: waiters(admin) == 1, what="the wait for the lock")
        os.kill(os.getpid(), signal.SIGUSR1)

    def cancel(number: int, frame: object) -> None:
        raise Cancelled(number)

    previous = signal.signal(signal.SIGUSR1, cancel)
    thread = threading.Thread(target=interrupt)
    with store.lock(name):
        thread.start()
        with pytest.raises(Cancelled):
            store.lock(name, timeout=None).acquire()
    thread.join()
    signal.signal(signal.SIGUSR1, previous)

    with store.lock(name, timeout=10):
        pass


def test_document_changed_by_a_foreign_writer_is_not_overwritten(
    store: PostgresStore, admin: Connection, name: str
) -> None:
    config = store.config(name)

    def change(current: dict[str, object]) -> dict[str, object]:
        admin.execute("INSERT INTO racehound_config VALUES (%s, '{}')", (name,))
        return {"a": 1}

    with pytest.raises(ConcurrentModification):
        config.update(change)


def test_stale_session_does_not_hinder_a_reader(store: PostgresStore, admin: Connection, name: str) -> None:
    with store.lock(name):
        pass
    end_idle_sessions(admin)

    assert store.config(name).read() == {}


def test_session_that_comes_back_after_the_store_was_closed_is_ended(server: Server) -> None:
    sessions = PostgresStore(server.url)._sessions
    session = sessions.lend()
    sessions._open.clear()
    sessions.close()

    sessions.give_back(session)

    assert session.closed


def test_reader_whose_server_fails_in_the_middle_is_told(
    store: PostgresStore, admin: Connection, name: str
) -> None:
    sessions = []

    def query_for_ever() -> None:
        with store._sessions.borrowed() as session:
            sessions.append(session)
            admin.execute("SELECT pg_terminate_backend(%s)", (session.info.backend_pid,))
            while True:
                session.execute("SELECT 1")

    with pytest.raises(StoreUnavailable):
        query_for_ever()

    assert sessions[0].closed


def test_closed_store_says_so(server: Server) -> None:
    store = PostgresStore(server.url)
    store.close()

    with pytest.raises(StoreUnavailable, match="closed"):
        store.lock("a").acquire()


def test_lock_may_outlive_its_store(server: Server, name: str) -> None:
    store = PostgresStore(server.url)
    lock = store.lock(name).acquire()
    store.close()

    with pytest.raises(LockLost):
        lock.release()
