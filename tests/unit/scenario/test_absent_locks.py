"""Locks of packages that are not installed."""

import asyncio

import pytest

from racehound.scenario.absent_locks import AbsentLock, keeps_others_out, lock_named


@pytest.mark.parametrize(
    "name", ["lock", "FileLock", "RLock", "unlock", "gen_wlock", "Mutex", "synchronized", "transaction_lock"]
)
def test_a_name_tells_that_others_are_kept_out(name: str) -> None:
    assert keeps_others_out(name)


@pytest.mark.parametrize("name", ["clock", "block", "Session", "route", "blocking", "semantic"])
def test_other_names_tell_nothing(name: str) -> None:
    assert not keeps_others_out(name)


def test_who_asks_again_is_given_the_same_lock() -> None:
    assert lock_named("client.lock") is lock_named("client.lock")
    assert lock_named("client.lock").anything("a") is lock_named("client.lock")


def test_each_object_of_a_class_is_a_lock_of_its_own() -> None:
    kind = lock_named("filelock.FileLock")

    with kind("a"), kind("a") as other:
        assert isinstance(other, AbsentLock)
        assert repr(other) == "filelock.FileLock"


def test_a_lock_is_entered_again_by_its_holder_and_given_back() -> None:
    lock = lock_named("rwlock.RWLock")()

    assert lock.acquire(timeout=1)
    with lock:
        pass
    lock.release()
    with pytest.raises(RuntimeError):
        lock.release()
    with pytest.raises(AttributeError):
        _ = lock._hidden


def test_a_semaphore_is_given_back_by_whoever_has_it() -> None:
    slots = lock_named("limits.Semaphore")()

    slots.acquire()

    assert slots._lock.locked()
    slots.release()
    assert not slots._lock.locked()


def test_a_function_behind_it_holds_it() -> None:
    lock = lock_named("tools.synchronized")

    def work() -> str:
        return "done"

    async def wait() -> bool:
        return bool(lock._turn().locked())

    assert lock(work)() == "done"
    assert lock(work).__name__ == "work"
    assert asyncio.run(lock("name")(wait)())


def test_coroutines_wait_for_their_turn() -> None:
    lock = lock_named("aio.Lock")()
    seen: list[str] = []

    async def work(name: str) -> None:
        await lock.acquire()
        seen.append(name)
        await asyncio.sleep(0)
        seen.append(name)
        await lock.release()

    async def main() -> None:
        await asyncio.gather(work("a"), work("b"))
        lock.release()

    asyncio.run(main())

    assert seen == ["a", "a", "b", "b"]
