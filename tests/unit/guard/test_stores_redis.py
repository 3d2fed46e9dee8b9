"""What can happen to a lock on Redis while it is held."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from racehound.guard import ConfigInvalid, LockHeld
from racehound.guard.cancelled import Cancelled
from racehound.guard.owner import current_owner
from racehound.guard.stores import redis_scripts
from racehound.guard.stores.failures import LockLost, StoreUnavailable
from racehound.guard.stores.redis import RedisStore
from racehound.guard.stores.redis_grip import RedisGrip
from servers import Server, redis_server, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redis import Redis

    from racehound.guard.stores.server_lock import ServerLock

redis = pytest.importorskip("redis", reason="redis-py is not installed")

LEASE_SECONDS = 1.5
SHORT_LEASE_SECONDS = 0.5  # of the processes that are paused or killed
PRELUDE = f"""
import os, signal, sys
from racehound.guard.stores.failures import LockLost
from racehound.guard.stores.redis import RedisStore
store = RedisStore(sys.argv[1], lease_seconds=float(sys.argv[2]) if len(sys.argv) > 2 else {SHORT_LEASE_SECONDS})
def say(word):
    print(word, flush=True)
"""


@pytest.fixture
def server() -> Iterator[Server]:
    with redis_server() as server:
        yield server


@pytest.fixture
def store(server: Server) -> Iterator[RedisStore]:
    store = RedisStore(server.url, lease_seconds=LEASE_SECONDS)
    yield store
    store.close()


@pytest.fixture
def client(server: Server) -> Iterator[Redis]:
    client = redis.Redis.from_url(server.url, decode_responses=True)
    yield client
    client.close()


def grip_of(lock: ServerLock) -> RedisGrip:
    assert isinstance(lock._grip, RedisGrip)
    return lock._grip


def start(server: Server, code: str, *arguments: str) -> subprocess.Popen[str]:
    argv = [sys.executable, "-c", PRELUDE + code, server.url, *arguments]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.slow
def test_paused_holder_that_lost_its_lease_cannot_write(server: Server, store: RedisStore) -> None:
    code = """
def change(config):
    say(store_config.lock.fencing_token)
    os.kill(os.getpid(), signal.SIGSTOP)
    say(store_config.lock.is_held)
    return {"stale": True}
store_config = store.config("c")
try:
    store_config.update(change)
except LockLost:
    say("lost")
"""
    holder = start(server, code)
    old_token = int(heard(holder))
    config = store.config("c", lock_timeout=20)

    with config.lock:
        new_token = config.lock.fencing_token
        config.set("fresh", value=True)
    holder.send_signal(signal.SIGCONT)

    assert (heard(holder), heard(holder)) == ("False", "lost")
    assert old_token < new_token
    assert config.read() == {"fresh": True}
    holder.communicate()


@pytest.mark.slow
def test_paused_holder_is_told_when_it_leaves_its_block(server: Server, store: RedisStore) -> None:
    code = """
try:
    with store.lock("a"):
        say("held")
        os.kill(os.getpid(), signal.SIGSTOP)
except LockLost as lost:
    say(lost.code)
"""
    holder = start(server, code)
    assert heard(holder) == "held"

    with store.lock("a", timeout=20):
        holder.send_signal(signal.SIGCONT)
        assert heard(holder) == "LOCK_LOST"
    holder.communicate()


def test_lease_is_renewed_while_the_lock_is_held(store: RedisStore) -> None:
    lock = store.lock("a")
    with lock:
        lease = grip_of(lock).lease
        first = lease.until
        wait_until(lambda: lease.until > first, what="a renewal")

        assert lock.is_held


def test_keeper_rests_when_there_is_nothing_to_renew(store: RedisStore) -> None:
    with store.lock("a"):
        pass
    keeper = store._server.keeper
    wait_until(lambda: keeper._thread is None, what="the keeper to end")

    with store.lock("a"):
        assert keeper._thread is not None


def test_cut_connection_costs_nothing(store: RedisStore, client: Redis) -> None:
    lock = store.lock("a")
    with lock:
        token = lock.fencing_token
        client.client_kill_filter(_type="normal", skipme=True)
        lock.check()

        assert lock.fencing_token == token
        client.client_kill_filter(_type="normal", skipme=True)


def test_write_whose_answer_was_lost_can_be_repeated(store: RedisStore) -> None:
    config = store.config("c")
    with config.lock:
        prefix = store._server.prefix_of("config/c")
        write = [prefix, grip_of(config.lock).lease.owner, "write-1", "", "{}"]
        answers = [store._server.call(redis_scripts.WRITE, *write) for _ in range(2)]

    assert answers == [0, 0]


def test_acquisition_whose_answer_was_lost_can_be_repeated(store: RedisStore) -> None:
    lock = store.lock("a")
    with lock:
        token = lock.fencing_token
        lease = grip_of(lock).lease
        assert grip_of(lock)._ask(lease.owner, lease.until, may_wait=False) is None

        assert lock.fencing_token == token


def test_release_whose_answer_was_lost_can_be_repeated(store: RedisStore) -> None:
    lock = store.lock("a").acquire()
    release = (redis_scripts.RELEASE, store._server.prefix_of("a"), grip_of(lock).lease.owner)

    assert [store._server.call(*release) for _ in range(2)] == [1, 1]
    lock.release()


@pytest.mark.parametrize("connections_are_cut", [False, True])
def test_released_lock_is_handed_to_the_first_waiter(
    store: RedisStore, client: Redis, *, connections_are_cut: bool
) -> None:
    waiting = store.lock("a", timeout=20)
    tokens = []

    def take() -> None:
        with waiting:
            tokens.append(waiting.fencing_token)

    waiter = threading.Thread(target=take)
    with store.lock("a") as lock:
        waiter.start()
        wait_until(lambda: client.llen("racehound:{a}:queue") == 1, what="the waiter to queue up")
        if connections_are_cut:
            client.client_kill_filter(_type="normal", skipme=True)
        token = lock.fencing_token
    waiter.join()

    assert tokens > [token]


def test_waiter_that_was_handed_the_lock_as_it_gave_up_passes_it_on(store: RedisStore, client: Redis) -> None:
    lock, late = store.lock("a").acquire(), grip_of(store.lock("a"))
    assert late._ask("late", 0.0, may_wait=True) is not None
    lock.release()
    assert client.hget("racehound:{a}:lock", "owner") == "late"

    late._leave_queue("late")

    with store.lock("a", timeout=0):
        pass


def test_waiter_that_wakes_late_asks_for_what_it_was_handed(store: RedisStore) -> None:
    """What is handed over lasts for a short time only."""
    grip = grip_of(store.lock("a"))
    long_ago = time.monotonic() - LEASE_SECONDS

    assert not grip._keeps("owner", 1, long_ago)


def test_dead_server_is_unavailable_and_ends_the_lease(server: Server, store: RedisStore) -> None:
    lock = store.lock("a").acquire()
    server.kill()
    wait_until(lambda: not lock.is_held, what="the lease to end")

    with pytest.raises(StoreUnavailable):
        store.lock("b").acquire()
    with pytest.raises(StoreUnavailable):
        lock.release()


def test_server_that_forgot_everything_takes_the_lock_away(server: Server, store: RedisStore) -> None:
    lock = store.lock("a").acquire()
    token = lock.fencing_token
    server.restart()

    with store.lock("a", timeout=0) as other:
        assert other.fencing_token > token
        wait_until(lambda: not lock.is_held, what="the keeper to notice")
        with pytest.raises(LockLost):
            lock.check()
        with pytest.raises(LockLost):
            lock.release()


def test_lost_lock_that_nobody_wants_any_more_is_no_error(store: RedisStore, client: Redis) -> None:
    lock = store.lock("a").acquire()
    client.flushall()

    lock._give_up(current_owner())

    assert not lock.is_held


def test_loss_does_not_hide_the_error_of_the_block(server: Server, store: RedisStore) -> None:
    def fail() -> None:
        with store.lock("a"):
            server.restart()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        fail()

    assert caught.value.__notes__ == ["Lock redis:a is not held by this process any more"]


@pytest.mark.slow
def test_dead_waiter_does_not_keep_the_others_waiting(server: Server, store: RedisStore, client: Redis) -> None:
    lock = store.lock("a").acquire()
    waiter = start(server, "store.lock('a', timeout=None).acquire()")
    wait_until(lambda: client.llen("racehound:{a}:queue") == 1, what="the waiter to queue up")
    waiter.kill()
    waiter.communicate()

    lock.release()

    with store.lock("a", timeout=20):
        assert client.llen("racehound:{a}:queue") == 0


def test_waiter_that_gives_up_leaves_no_trace(store: RedisStore, client: Redis) -> None:
    with store.lock("a"), pytest.raises(LockHeld):
        store.lock("a", timeout=0.02).acquire()

    assert client.keys("racehound:{a}:wait*") == []
    assert client.exists("racehound:{a}:queue") == 0


def test_signal_ends_the_wait_and_leaves_no_trace(store: RedisStore, client: Redis) -> None:
    def interrupt() -> None:
        wait_until(lambda: client.llen("racehound:{a}:queue") == 1, what="the queue to fill")
        os.kill(os.getpid(), signal.SIGUSR1)

    def cancel(number: int, frame: object) -> None:
        raise Cancelled(number)

    previous = signal.signal(signal.SIGUSR1, cancel)
    thread = threading.Thread(target=interrupt)
    with store.lock("a"):
        thread.start()
        with pytest.raises(Cancelled):
            store.lock("a", timeout=None).acquire()
    thread.join()
    signal.signal(signal.SIGUSR1, previous)

    assert client.exists("racehound:{a}:queue") == 0


def test_dead_holder_can_be_robbed_before_its_lease_ends(server: Server, store: RedisStore) -> None:
    holder = start(server, "store.lock('a').acquire()\nsay('held')\nsignal.pause()", "60")
    assert heard(holder) == "held"
    holder.kill()
    holder.communicate()

    unlocked = store.lock("a").force_unlock()

    assert (unlocked.replaced, unlocked.holder.pid) == (True, holder.pid)
    with store.lock("a", timeout=0):
        pass


def test_unreadable_record_is_an_unknown_holder(store: RedisStore, client: Redis) -> None:
    with store.lock("a"):
        client.hset("racehound:{a}:lock", "record", "garbage")
        with pytest.raises(LockHeld, match="left no record") as caught:
            store.lock("a", timeout=0).acquire()
        with pytest.raises(LockHeld):
            store.lock("a").force_unlock()

    assert caught.value.holder.pid is None


def test_hint_follows_past_hold_times(store: RedisStore, client: Redis) -> None:
    client.hset("racehound:{a}:past", "held", "20000")
    with store.lock("a"), pytest.raises(LockHeld) as caught:
        store.lock("a", timeout=0).acquire()

    assert 15_000 < caught.value.retry_after_ms <= 30_000


def test_document_that_is_no_json_is_reported(store: RedisStore, client: Redis) -> None:
    client.set("racehound:{config/c}:document", "[broken")

    with pytest.raises(ConfigInvalid, match="Cannot read"):
        store.config("c").read()
