"""Locks and configuration on real servers: what holds for both kinds of them."""

import asyncio
import math
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from racehound.guard import ConcurrentModification, ConfigInvalid, LockHeld
from racehound.guard.owner import current_owner
from racehound.guard.stores.failures import LockLost, StoreUnavailable
from racehound.guard.stores.postgres import PostgresStore
from racehound.guard.stores.redis import RedisStore
from racehound.guard.stores.server_lock import ServerLock
from servers import Server, postgres_server, redis_server

# Long enough for a busy machine; those who are killed get a short one.
LEASE_SECONDS = 10.0
SHORT_LEASE_SECONDS = 0.5
PRELUDE = """
import os, signal, sys
from racehound.guard.stores.redis import RedisStore
from racehound.guard.stores.postgres import PostgresStore
url = sys.argv[1]
lease = float(os.environ["LEASE_SECONDS"])
store = PostgresStore(url) if url.startswith("postgresql:") else RedisStore(url, lease_seconds=lease)
def say(word):
    print(word, flush=True)
"""


@dataclass(frozen=True)
class Place:
    kind: str
    server: Server

    def store(self) -> RedisStore | PostgresStore:
        if self.kind == "redis":
            return RedisStore(self.server.url, lease_seconds=LEASE_SECONDS)
        return PostgresStore(self.server.url)

    def start(self, code: str, *arguments: str, lease: float = LEASE_SECONDS) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", PRELUDE + code, self.server.url, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LEASE_SECONDS": str(lease)},
        )


@pytest.fixture(scope="module", params=["redis", "postgres"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    start = redis_server if request.param == "redis" else postgres_server
    with start() as server:
        yield Place(request.param, server)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """The server is shared by the tests, its locks are not."""
    return str(request.node.name)


@pytest.fixture
def store(place: Place) -> Iterator[RedisStore | PostgresStore]:
    store = place.store()
    yield store
    store.close()


Store = RedisStore | PostgresStore


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def finished(process: subprocess.Popen[str], answer: str = "") -> int:
    process.communicate(answer)
    return process.returncode


def test_second_holder_is_refused_with_who_and_when(place: Place, store: Store, name: str) -> None:
    holder = place.start("with store.lock(sys.argv[2]):\n    say('held')\n    sys.stdin.read()", name)
    assert heard(holder) == "held"

    with pytest.raises(LockHeld) as caught:
        store.lock(name, timeout=0.05).acquire()
    assert finished(holder) == 0

    held = caught.value
    assert held.holder.pid == holder.pid
    assert held.holder.age_ms is not None
    assert held.retry_after_ms >= 50
    assert f"holder_pid={holder.pid}" in held.detail
    assert held.envelope()["meta"] == {"duration_ms": held.duration_ms}
    assert held.duration_ms >= 50
    with store.lock(name, timeout=0):
        pass


def test_waiter_gets_the_lock_when_the_holder_lets_go(place: Place, store: Store, name: str) -> None:
    lock = store.lock(name)
    lock.acquire()
    waiter = place.start("say('ready')\nwith store.lock(sys.argv[2], timeout=None): say('held')", name)
    assert heard(waiter) == "ready"

    lock.release()

    assert heard(waiter) == "held"
    assert finished(waiter) == 0


def test_same_owner_enters_again(store: Store, name: str) -> None:
    lock = store.lock(name, timeout=0)

    with lock, lock:
        assert lock.is_held
    assert not lock.is_held


def test_other_thread_waits_its_turn(store: Store, name: str) -> None:
    lock = store.lock(name, timeout=0.02)
    errors: list[LockHeld] = []

    def try_it() -> None:
        try:
            lock.acquire()
        except LockHeld as error:
            errors.append(error)

    with lock:
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()

    assert errors[0].holder.pid == os.getpid()


def test_counter_of_many_threads_is_exact(store: Store, name: str) -> None:
    lock, counts = store.lock(name, timeout=None), [0]

    def count() -> None:
        for _ in range(10):
            with lock:
                seen = counts[0]
                threading.Event().wait(0)
                counts[0] = seen + 1

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert counts == [40]


def test_release_without_acquire_is_an_error(store: Store, name: str) -> None:
    with pytest.raises(RuntimeError, match=r"released by somebody who does not hold it"):
        store.lock(name).release()


def test_negative_timeout_is_refused(store: Store, name: str) -> None:
    with pytest.raises(ValueError, match="timeout"):
        store.lock(name, timeout=-2)
    with pytest.raises(ValueError, match="timeout"):
        store.lock(name).acquire(timeout=-1)


def test_tasks_of_one_loop_exclude_each_other(store: Store, name: str) -> None:
    lock, log = store.lock(name), []

    async def work(number: int) -> None:
        async with lock, lock:
            log.append(("in", number))
            await asyncio.sleep(0)
            log.append(("out", number))

    async def main() -> None:
        await asyncio.gather(*(work(number) for number in range(4)))

    asyncio.run(main())

    assert [word for word, _ in log] == ["in", "out"] * 4
    assert all(first[1] == second[1] for first, second in zip(log[::2], log[1::2], strict=True))


def test_cancelled_wait_leaves_nothing_behind(store: Store, name: str) -> None:
    lock, other = store.lock(name), store.lock(name)

    async def main() -> None:
        other.acquire()
        waiting = asyncio.create_task(lock.acquire_async(None))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        other.release()

    asyncio.run(main())

    with store.lock(name):
        assert current_owner() is not None


def test_refusal_reaches_the_coroutine(store: Store, name: str) -> None:
    async def main() -> None:
        await store.lock(name).acquire_async(0.01)

    with store.lock(name), pytest.raises(LockHeld):
        asyncio.run(main())


def test_fencing_token_grows_with_every_acquisition(place: Place, store: Store, name: str) -> None:
    lock = store.lock(name)
    tokens = []
    for _ in range(2):
        with lock:
            tokens += [lock.fencing_token, lock.fencing_token]
    child = place.start("with store.lock(sys.argv[2]) as lock: say(lock.fencing_token)", name)
    tokens.append(int(heard(child)))

    assert finished(child) == 0
    assert tokens[0] == tokens[1] < tokens[2] == tokens[3] < tokens[4]


def test_there_is_no_token_without_the_lock(store: Store, name: str) -> None:
    with pytest.raises(LockLost):
        _ = store.lock(name).fencing_token


def test_check_agrees_while_the_lock_is_held(store: Store, name: str) -> None:
    lock = store.lock(name)
    with lock:
        lock.check()

    with pytest.raises(LockLost):
        lock.check()


@pytest.mark.slow
def test_killed_holder_loses_the_lock(place: Place, store: Store, name: str) -> None:
    code = "store.lock(sys.argv[2]).acquire()\nsay('held')\nsignal.pause()"
    holder = place.start(code, name, lease=SHORT_LEASE_SECONDS)
    assert heard(holder) == "held"

    holder.kill()
    assert finished(holder) == -signal.SIGKILL

    with store.lock(name, timeout=10):
        pass


@pytest.mark.slow
def test_forked_child_of_a_killed_holder_does_not_keep_the_lock(place: Place, store: Store, name: str) -> None:
    code = """
lock = store.lock(sys.argv[2])
lock.acquire()
child = os.fork()
if child == 0:
    lock.release()
    assert not lock.is_held
    say(os.getpid())
    signal.pause()
signal.pause()
"""
    holder = place.start(code, name, lease=SHORT_LEASE_SECONDS)
    orphan = int(heard(holder))

    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    with store.lock(name, timeout=10):
        pass

    os.kill(orphan, signal.SIGKILL)
    finished(holder)


def test_forked_child_may_leave_the_block_of_its_parent(place: Place, store: Store, name: str) -> None:
    code = """
lock = store.lock(sys.argv[2])
with lock:
    child = os.fork()
    if child == 0:
        say(lock.is_held)
    else:
        os.waitpid(child, 0)
        lock.check()
say('left')
"""
    process = place.start(code, name)

    assert [heard(process) for _ in range(3)] == ["False", "left", "left"]
    assert finished(process) == 0


def test_forked_child_can_take_the_lock_itself(place: Place, store: Store, name: str) -> None:
    code = """
lock = store.lock(sys.argv[2])
with lock: pass
child = os.fork()
if child == 0:
    with lock: say('child')
    os._exit(0)
os.waitpid(child, 0)
with lock: say('parent')
"""
    process = place.start(code, name)

    assert [heard(process), heard(process)] == ["child", "parent"]
    assert finished(process) == 0


def test_live_holder_is_not_robbed(place: Place, store: Store, name: str) -> None:
    lock = store.lock(name)
    with lock, pytest.raises(LockHeld):
        store.lock(name).force_unlock()

    assert not store.lock(name).force_unlock().replaced


@pytest.mark.slow
def test_waiting_processes_take_turns(place: Place, store: Store, name: str) -> None:
    code = """
lock, config = store.lock(sys.argv[2], timeout=None), store.config(sys.argv[2])
config.read()
say('asks')
for _ in range(15):
    with lock:
        config.update(lambda c: {"order": [*c.get("order", []), sys.argv[3]]})
"""
    with store.lock(name):
        processes = [place.start(code, name, str(number)) for number in range(4)]
        assert [heard(process) for process in processes] == ["asks"] * 4
    assert [finished(process) for process in processes] == [0, 0, 0, 0]

    order = store.config(name).read()["order"]
    assert len(order) == 60
    contended = order[15:45]
    assert all(contended.count(str(number)) >= 3 for number in range(4))


def test_configuration_is_read_and_written_by_dotted_key(store: Store, name: str) -> None:
    config = store.config(name)
    assert config.read() == {}

    config.set("server.port", 80)
    config.set("server.name", "ä")
    config.delete("server.port")

    assert config.get("server.name") == "ä"
    assert config.get("server.port", 1) == 1
    assert store.config(name).read() == {"server": {"name": "ä"}}


def test_change_may_happen_in_place(store: Store, name: str) -> None:
    config = store.config(name)

    assert config.update(lambda c: c.update(a=1)) == {"a": 1}
    assert config.get("a") == 1


@pytest.mark.slow
def test_no_update_of_parallel_processes_is_lost(place: Place, store: Store, name: str) -> None:
    code = "for i in range(5): store.config(sys.argv[2], lock_timeout=None).set(f'k{sys.argv[3]}.{i}', i)"
    processes = [place.start(code, name, str(number)) for number in range(4)]

    assert [finished(process) for process in processes] == [0, 0, 0, 0]
    written = {str(i): i for i in range(5)}
    assert store.config(name).read() == {f"k{number}": written for number in range(4)}


def test_value_that_json_does_not_have_is_refused(store: Store, name: str) -> None:
    with pytest.raises(ConfigInvalid, match="Cannot write"):
        store.config(name).set("a", object())


@pytest.mark.parametrize("returned", [[1], 5, "text"])
def test_change_that_returns_no_mapping_is_refused_and_what_was_there_stays(
    store: Store, name: str, returned: object
) -> None:
    config = store.config(name)
    config.set("a", 1)
    with pytest.raises(ConfigInvalid, match="returned"):
        config.update(lambda _: returned)  # type: ignore[arg-type, return-value]  # what a caller got wrong

    assert config.read() == {"a": 1}


def test_value_that_no_server_could_keep_is_refused(store: Store, name: str) -> None:
    deep: dict[str, object] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    for value in ("\ud800", deep):
        with pytest.raises(ConfigInvalid, match="Cannot write"):
            store.config(name).set("a", value)


def test_wait_may_be_longer_than_any_clock(store: Store, name: str) -> None:
    """Inside the process, at the gate of one lock, and on the server, for another one."""
    lock = store.lock(name, timeout=math.inf)
    entered: list[Store] = []

    def enter(lock: ServerLock) -> None:
        with lock:
            entered.append(store)

    waits = [threading.Thread(target=enter, args=(lock,)) for lock in (lock, store.lock(name, timeout=1e300))]
    with lock:
        for wait in waits:
            wait.start()
        waits[0].join(0.1)
        assert entered == []
    for wait in waits:
        wait.join()
    assert entered == [store, store]


def test_failing_change_writes_nothing_and_releases_the_lock(store: Store, name: str) -> None:
    config = store.config(name, lock_timeout=0)

    with pytest.raises(ZeroDivisionError):
        config.update(lambda c: {"a": 1 / 0})

    config.set("b", 1)
    assert config.read() == {"b": 1}


def test_writer_in_between_is_noticed_and_not_overwritten(store: Store, name: str) -> None:
    config = store.config(name)
    config.set("a", 1)
    document = config._document

    def change(current: dict[str, object]) -> dict[str, object]:
        assert document.write(document.read(), '{"a": 2}\n')  # without the lock of another process
        return current | {"b": 1}

    with pytest.raises(ConcurrentModification):
        config.update(change)

    assert config.read() == {"a": 2}


def test_server_that_is_not_there_is_unavailable(place: Place) -> None:
    store: Store
    if place.kind == "redis":
        store = RedisStore("unix:///nowhere/redis.sock")
    else:
        store = PostgresStore("postgresql:///x?host=/nowhere")

    with pytest.raises(StoreUnavailable) as caught:
        store.lock("a").acquire()
    with pytest.raises(StoreUnavailable):
        store.config("a").read()

    assert (caught.value.exit_status, caught.value.retryable) == (12, True)
    store.close()


@pytest.mark.parametrize(("client", "kind"), [("redis", RedisStore), ("psycopg", PostgresStore)])
def test_missing_client_library_is_named(monkeypatch: pytest.MonkeyPatch, client: str, kind: type[Store]) -> None:
    monkeypatch.setitem(sys.modules, client, None)

    with pytest.raises(StoreUnavailable, match="needs") as caught:
        kind("x://")

    assert caught.value.suggestion.startswith("Install racehound[")


def test_names_itself(store: Store, name: str) -> None:
    assert name in repr(store.lock(name))
    assert name in repr(store.config(name))
