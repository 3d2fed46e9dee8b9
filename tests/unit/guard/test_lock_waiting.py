"""Waiting for a lock: helpers, timeouts, interruptions, and systems that refuse."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import threading
import time
from time import monotonic_ns
from typing import TYPE_CHECKING

import pytest

from drivers.lock_processes import child, go_on, holder, run, said
from racehound.guard import Lock, LockHeld, LockUnavailable, kernel, lockfile, share
from racehound.guard.lockfile import LockFile, Replaced
from racehound.guard.waiting import LONG, TaskWaiter, ThreadWaiter, growing_delays, next_wait

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def wait_until(holds: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(5000):
        if holds():
            return
        pause.wait(0.002)
    raise AssertionError("it never came true")


@pytest.fixture(autouse=True)
def _traced_helpers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same helpers as threads that a tracer of coverage sees."""

    def start(target: Callable[[], None], arguments: tuple[()]) -> None:
        threading.Thread(target=target, args=arguments, daemon=True).start()

    monkeypatch.setattr(share, "start_new_thread", start)


def own_share(lock: Lock) -> share.Share:
    assert lock._share is not None
    return lock._share


def test_helper_that_nobody_waits_for_lets_go_of_the_lock(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=0.01)
    with holder(lock.path) as other:
        with pytest.raises(LockHeld):
            lock.acquire()
        assert own_share(lock)._helper_waits
        go_on(other)
        wait_until(lambda: not own_share(lock)._helper_waits)
        with Lock(tmp_path / "x.lock", timeout=0), lock:
            pass


def test_giving_up_many_times_leaves_one_helper(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=0.001)
    with holder(lock.path) as other:
        for _ in range(20):
            with pytest.raises(LockHeld):
                lock.acquire()
        assert threading.active_count() <= 3
        assert len(os.listdir("/proc/self/task")) <= 4  # noqa: PTH208 - only counted
        go_on(other)
        with lock.acquire(timeout=30):
            assert said(other) == ["released"]
    lock.release()


def test_next_caller_takes_over_the_place_of_the_one_that_gave_up(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=0.001)
    with holder(lock.path) as other:
        with pytest.raises(LockHeld):
            lock.acquire()
        with pytest.raises(LockHeld):
            lock.acquire(timeout=0)
        threading.Timer(0.01, go_on, [other]).start()
        lock.acquire(timeout=30)
        lock.release()


def test_interrupt_while_waiting_leaves_the_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: ThreadWaiter, seconds: float | None) -> None:
        raise KeyboardInterrupt

    lock = Lock(tmp_path / "x.lock", timeout=30)
    with holder(lock.path) as other:
        with monkeypatch.context() as patch:
            patch.setattr(ThreadWaiter, "wait", interrupted)
            with pytest.raises(KeyboardInterrupt):
                lock.acquire()
        assert not own_share(lock)._waiters
        go_on(other)
        with lock:
            pass


def test_interrupt_that_comes_with_the_lock_gives_it_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patient = ThreadWaiter.wait

    def interrupted(self: ThreadWaiter, seconds: float) -> bool:
        go_on(other)
        while not patient(self, seconds):
            pass
        raise KeyboardInterrupt

    lock = Lock(tmp_path / "x.lock", timeout=30)
    with holder(lock.path) as other:
        with monkeypatch.context() as patch:
            patch.setattr(ThreadWaiter, "wait", interrupted)
            with pytest.raises(KeyboardInterrupt):
                lock.acquire()
        assert own_share(lock).owner is None
        with Lock(lock.path, timeout=0):
            pass


def test_interrupt_while_the_file_is_replaced_is_still_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: ThreadWaiter, seconds: float | None) -> None:
        self.error = share.NoHelper()
        raise KeyboardInterrupt

    lock = Lock(tmp_path / "x.lock", timeout=30)
    with holder(lock.path):
        monkeypatch.setattr(ThreadWaiter, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            lock.acquire()


def no_threads(*_: object) -> int:
    raise RuntimeError("can't start new thread")


def test_without_threads_waiting_is_polling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "start_new_thread", no_threads)
    lock = Lock(tmp_path / "x.lock")
    with holder(lock.path) as other:
        with pytest.raises(LockHeld):
            lock.acquire(timeout=0.01)
        with pytest.raises(LockHeld):
            asyncio.run(lock.acquire_async(timeout=0.01))
        threading.Timer(0.01, go_on, [other]).start()
        wait_in_a_loop(lock)


def test_waiters_of_a_process_that_cannot_start_a_helper_at_release_poll(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=30)
    taken: list[bool] = []

    def take() -> None:
        with lock:
            taken.append(lock.is_held)

    thread = threading.Thread(target=take)
    with lock:
        thread.start()
        wait_until(lambda: bool(own_share(lock)._waiters))
        monkeypatch.setattr(share, "start_new_thread", no_threads)
        own_share(lock).file._turn_ends = 0
    thread.join()

    assert taken == [True]


def test_waiting_thread_gets_the_lock_after_the_turn_of_its_process_is_over(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=30)
    taken: list[bool] = []

    def take() -> None:
        with lock:
            taken.append(lock.is_held)

    for turn_ends in (0, 1 << 62):
        thread = threading.Thread(target=take)
        with lock:
            thread.start()
            wait_until(lambda: bool(own_share(lock)._waiters))
            own_share(lock).file._turn_ends = turn_ends
        thread.join()

    assert taken == [True, True]


def test_error_of_the_system_while_waiting_reaches_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: LockFile) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(LockFile, "lock", broken)
    lock = Lock(tmp_path / "x.lock", timeout=30)
    with holder(lock.path):
        with pytest.raises(LockUnavailable, match="No locks available"):
            lock.acquire()
        with pytest.raises(LockUnavailable, match="No locks available"):
            asyncio.run(lock.acquire_async())


def test_file_system_without_locks_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(fd: int) -> bool:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(kernel, "try_lock", unsupported)
    with pytest.raises(LockUnavailable, match="not supported") as caught:
        Lock(tmp_path / "x.lock").acquire()
    assert "local" in caught.value.suggestion


def test_waiters_follow_when_the_lock_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    lock = Lock(path, timeout=30)
    with holder(path) as other:
        thread = threading.Thread(target=lambda: lock.acquire().release())
        thread.start()
        wait_until(lambda: lock._share is not None and lock._share._helper_waits)
        path.unlink()
        go_on(other)
        thread.join()

    assert own_share(lock).file.is_current()


def wait_in_a_loop(lock: Lock) -> None:
    async def main() -> None:
        async with lock:
            pass

    asyncio.run(main())


def wait_in_a_thread(lock: Lock) -> None:
    with lock:
        pass


@pytest.mark.parametrize("wait", [wait_in_a_thread, wait_in_a_loop])
def test_waiters_follow_to_a_replaced_file_that_is_held_as_well(
    tmp_path: Path, wait: Callable[[Lock], None]
) -> None:
    path = tmp_path / "x.lock"
    lock = Lock(path, timeout=30)
    waiting = threading.Thread(target=wait, args=[lock])
    with holder(path) as first:
        waiting.start()
        wait_until(lambda: lock._share is not None and lock._share._helper_waits)
        old = own_share(lock)
        path.unlink()
        with holder(path) as second:
            go_on(first)
            wait_until(lambda: own_share(lock) is not old and own_share(lock)._helper_waits)
            go_on(second)
            waiting.join()
            assert own_share(lock).file.is_current()


def test_moment_that_is_over_before_the_queue_is_entered_is_a_refusal(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=1e-12)
    with holder(lock.path):
        with pytest.raises(LockHeld):
            wait_in_a_thread(lock)
        with pytest.raises(LockHeld):
            wait_in_a_loop(lock)


def test_lock_that_is_free_at_the_last_look_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=0)
    monkeypatch.setattr("racehound.guard.lock._LAST_LOOKS_SECONDS", 30)
    honest = Lock._enter
    answers = iter([False, False])
    monkeypatch.setattr(Lock, "_enter", lambda lock, owner: next(answers, None) is None and honest(lock, owner))
    with lock:
        assert lock.is_held


def test_process_in_its_turn_is_refused_what_another_one_took(tmp_path: Path) -> None:
    one, other = (LockFile(str(tmp_path / "x"), 0o600) for _ in range(2))
    assert one.try_lock("")
    one.unlock()
    assert other.try_lock("")
    one._turn_ends = 1 << 62
    assert not one.try_lock("")


def test_waiter_whose_event_loop_was_closed_is_passed_over(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock")
    loop = asyncio.new_event_loop()
    with lock:
        gone = TaskWaiter(object(), "", loop)
        own_share(lock).enqueue(gone)
        loop.close()

    with Lock(lock.path, timeout=1):
        assert not gone.granted


def test_delays_grow_and_end_at_the_deadline() -> None:
    endless = growing_delays(None)
    delays = [next(endless) for _ in range(12)]

    assert 0.0005 <= round(delays[0], 9) <= 0.0015
    assert 0.05 <= round(delays[-1], 9) <= 0.15
    assert list(growing_delays(0.0)) == []
    assert next_wait(None) == next_wait(time.monotonic() + 60) == LONG


def test_waiter_of_a_share_that_a_fork_closed_opens_the_path_again(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=1)
    with lock:
        pass
    own_share(lock).file.close()
    with pytest.raises(Replaced):
        own_share(lock).enqueue(ThreadWaiter(object(), ""))
    with lock:
        assert own_share(lock).file.is_current()


def test_waiter_that_is_woken_twice_is_woken_once() -> None:
    async def main() -> None:
        waiter = TaskWaiter(object(), "", asyncio.get_running_loop())
        assert waiter.wake()
        assert waiter.wake()
        await waiter.wait(0)

    asyncio.run(main())


def gate_is_taken(fd: int) -> bool:
    entered = kernel.try_enter_gate(fd)
    if entered:
        kernel.leave_gate(fd)
    return not entered


def test_process_outside_its_turn_does_not_overtake_those_who_wait(tmp_path: Path) -> None:
    path = str(tmp_path / "x.lock")
    first, second, third = (LockFile(path, 0o600) for _ in range(3))
    assert first.try_lock("")
    helper = threading.Thread(target=second.lock)
    helper.start()
    wait_until(lambda: gate_is_taken(third.fd))
    assert not third.try_lock("")
    first._turn_ends = 0
    first.unlock()
    helper.join()
    assert not first.try_lock("")
    second.unlock()
    assert third.try_lock("")


def busy_process(path: str) -> LockFile:
    """Holds the lock in a turn, and used the one before more than once."""
    busy = LockFile(path, 0o600)
    for _ in range(2):
        assert busy.try_lock("")
        busy.unlock()
    busy._turn_ends = 0
    assert busy.try_lock("")
    return busy


def test_waiter_looks_at_growing_intervals_until_the_turn_of_a_busy_process_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "x.lock")
    busy, waiting = busy_process(path), LockFile(path, 0o600)
    now = [monotonic_ns()]
    naps: list[float] = []

    def nap(seconds: float) -> None:
        naps.append(seconds)
        now[0] += round(seconds * 1e9)

    monkeypatch.setattr(lockfile, "monotonic_ns", lambda: now[0])
    monkeypatch.setattr(lockfile, "sleep", nap)
    monkeypatch.setattr(kernel, "lock", lambda _: busy.unlock())
    waiting.lock()

    assert naps[:3] == [0.0005, 0.001, 0.002]
    assert sum(naps) <= lockfile.TURN_NS / 1e9


def test_waiter_takes_the_lock_that_a_busy_process_does_not_come_back_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "x.lock")
    busy, waiting = busy_process(path), LockFile(path, 0o600)
    busy._turn_ends = 1 << 62
    monkeypatch.setattr(lockfile, "sleep", lambda _: busy.unlock())
    waiting.lock()

    assert not busy.try_lock("")


def test_disk_that_is_full_forbids_the_record_and_not_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(fd: int, data: bytes, offset: int) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(lockfile, "write_at", full)
    with Lock(tmp_path / "x.lock") as unsigned:
        assert not own_share(unsigned).file._records
    monkeypatch.undo()
    lock = Lock(tmp_path / "y.lock")
    with lock:
        monkeypatch.setattr(lockfile, "write_at", full)
    assert not own_share(lock).file._records
    own_share(lock).file._records = True
    own_share(lock).file._turn_ends = 1 << 62
    with lock:
        assert not own_share(lock).file._records


def test_share_is_refused_while_somebody_has_the_lock(tmp_path: Path) -> None:
    one, other = (LockFile(str(tmp_path / "x"), 0o600) for _ in range(2))
    assert kernel.try_share(one.fd)
    assert kernel.try_share(other.fd)
    other.unlock()
    assert kernel.try_lock(one.fd)
    assert not kernel.try_share(other.fd)


def test_turn_goes_on_while_little_was_done_in_it_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = LockFile(str(tmp_path / "x.lock"), 0o600)
    now = [monotonic_ns()]
    monkeypatch.setattr(lockfile, "monotonic_ns", lambda: now[0])

    def began_after(*steps: int) -> int:
        """When the turn began in which the file is locked after these steps of time."""
        for step in (10 * lockfile.LONGEST_TURN_NS, *steps):
            now[0] += step
            assert file.try_lock("")
            file.unlock()
        return file._turn_began

    late = lockfile.TURN_NS + 1
    assert began_after(1, late) == now[0] - late - 1
    assert began_after(late) == now[0]
    assert began_after(1, late, late) == now[0]
    assert began_after(*[1] * lockfile.ROUNDS_IN_TURN, late) == now[0]


WAIT_FOR_EVER = """
import sys
from racehound.guard import Lock
Lock(sys.argv[1], timeout=None).acquire()
"""

TRY = """
import sys
from racehound.guard import Lock, LockHeld
try:
    Lock(sys.argv[1], timeout=0).acquire()
except LockHeld as held:
    sys.exit(held.exit_status)
"""


@pytest.fixture
def stalled(tmp_path: Path) -> Iterator[Path]:
    """A free lock; the process that is first in the queue for it is stopped."""
    path = tmp_path / "x.lock"
    with holder(path) as other, child(WAIT_FOR_EVER, path) as waiting:
        with path.open("r+b") as file:
            wait_until(lambda: gate_is_taken(file.fileno()))
        waiting.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, waiting.pid, os.WSTOPPED)
        go_on(other)
        assert said(other) == ["released"]
        yield path


@pytest.mark.parametrize("timeout", [0, 30])
def test_a_stopped_waiter_keeps_nobody_from_a_free_lock(stalled: Path, timeout: float) -> None:
    with Lock(stalled, timeout=timeout) as lock:
        assert lock.is_held
        assert run(TRY, stalled).returncode == 4


def test_a_stopped_waiter_keeps_no_task_from_a_free_lock(stalled: Path) -> None:
    async def take() -> bool:
        async with Lock(stalled, timeout=30) as lock:
            return lock.is_held

    assert asyncio.run(take())


def test_a_helper_that_was_overtaken_gives_away_only_what_it_has(stalled: Path) -> None:
    """The helper of the waiting thread stands in the queue while the thread has the lock already."""
    with Lock(stalled, timeout=30) as lock:
        own = own_share(lock)
        assert (own._helper_waits, own._overtaken) == (True, True)
        assert not own._still_has_it()
    assert own._still_has_it()
    own.file.unlock()
    with Lock(stalled, timeout=30):
        pass
