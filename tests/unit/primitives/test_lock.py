"""The mirrors of locks do what the originals do, in one thread, in several, and under control."""

import _thread
import threading
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.observed import operations, run_task, run_tasks
from racehound.engine.company import TIMED_WAIT
from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer
from racehound.primitives.lock import ControlledLock, ControlledRLock
from racehound.primitives.mirrors import installed
from racehound.strategies.dpor import Dpor
from racehound.strategies.guided import Guided

STEADY = settings(deadline=None, derandomize=True, database=None, max_examples=60)
Step = Callable[[threading.Lock], object]


def _with(lock: threading.Lock) -> object:
    with lock as entered:
        return entered


ONCE: dict[str, Step] = {
    "try": lambda lock: lock.acquire(blocking=False),
    "try by position": lambda lock: lock.acquire(False),
    "no time": lambda lock: lock.acquire(timeout=0),
    "a little time": lambda lock: lock.acquire(timeout=0.0001),
    "release": lambda lock: lock.release(),
    "leave": lambda lock: lock.__exit__(None, None, None),
    "negative time": lambda lock: lock.acquire(timeout=-2),
    "time for a try": lambda lock: lock.acquire(blocking=False, timeout=1),
    "endless time": lambda lock: lock.acquire(timeout=1e20),
    "text for time": lambda lock: lock.acquire(timeout="soon"),  # type: ignore[arg-type]
    "too many": lambda lock: lock.acquire(True, 1, 2),  # type: ignore[call-arg]
}
STATE: dict[str, Step] = {"locked": lambda lock: lock.locked()}
BLOCKING: dict[str, Step] = {
    "acquire": lambda lock: lock.acquire(),
    "with": _with,
    "long": lambda lock: lock.acquire(timeout=30),
}


def answers(lock: threading.Lock, steps: Sequence[str]) -> list[str]:
    known = ONCE | STATE | BLOCKING
    found = []
    for step in steps:
        try:
            found.append(repr(known[step](lock)))
        except Exception as error:  # noqa: BLE001 - compared, whatever it is
            found.append(_words(error))
    return found


def _words(error: Exception) -> str:
    """Type and message; how a wrong number of arguments is put differs between functions in C and in Python."""
    return type(error).__name__ if isinstance(error, TypeError) else repr(error)


def without_blocking(steps: Sequence[str]) -> list[str]:
    """The steps but those that a thread on its own would never return from."""
    kept: list[str] = []
    held = False
    for step in steps:
        if step in BLOCKING and held:
            continue
        kept.append(step)
        if step in {"release", "leave", "with"}:
            held = False
        elif step in BLOCKING or step in {"try", "try by position", "no time", "a little time"}:
            held = True
    return kept


PLAIN_STEPS = st.lists(st.sampled_from([*ONCE, *STATE, *BLOCKING]), max_size=12).map(without_blocking)
NESTED_STEPS = st.lists(st.sampled_from([*ONCE, *BLOCKING]), max_size=12)


@STEADY
@given(steps=PLAIN_STEPS)
def test_lock_answers_like_the_original(steps: list[str]) -> None:
    assert answers(ControlledLock(), steps) == answers(_thread.allocate_lock(), steps)  # type: ignore[arg-type]


@STEADY
@given(steps=NESTED_STEPS)
def test_reentrant_lock_answers_like_the_original(steps: list[str]) -> None:
    assert answers(ControlledRLock(), steps) == answers(_thread.RLock(), steps)  # type: ignore[arg-type]


def under_control(lock: threading.Lock, steps: Sequence[str]) -> list[str]:
    found: list[str] = []
    trace = run_task(lambda: found.extend(answers(lock, steps)))
    assert trace.ending is Ending.COMPLETE
    return found


@pytest.mark.slow
@STEADY
@given(steps=PLAIN_STEPS)
def test_lock_under_control_answers_like_the_original(steps: list[str]) -> None:
    assert under_control(ControlledLock(), steps) == answers(_thread.allocate_lock(), steps)  # type: ignore[arg-type]


@pytest.mark.slow
@STEADY
@given(steps=NESTED_STEPS)
def test_reentrant_lock_under_control_answers_like_the_original(steps: list[str]) -> None:
    assert under_control(ControlledRLock(), steps) == answers(_thread.RLock(), steps)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [ControlledLock, ControlledRLock])
def test_threads_that_are_not_tasks_exclude_each_other(kind: type[ControlledLock]) -> None:
    lock = kind()
    inside: list[int] = []
    most: list[int] = []

    def work(number: int) -> None:
        for _ in range(50):
            with lock:
                inside.append(number)
                most.append(len(inside))
                inside.remove(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert max(most) == 1
    assert len(most) == 200


def test_reentrant_lock_of_another_thread_cannot_be_released() -> None:
    lock = ControlledRLock()
    thread = threading.Thread(target=lock.acquire)
    thread.start()
    thread.join()

    with pytest.raises(RuntimeError, match="cannot release un-acquired lock"):
        lock.release()
    with pytest.raises(RuntimeError, match="cannot release un-acquired lock"):
        lock._release_save()
    assert not lock.acquire(blocking=False)
    assert lock._recursion_count() == 0


def test_locks_start_afresh_after_a_fork() -> None:
    plain, nested = ControlledLock(), ControlledRLock()
    plain.acquire()
    nested.acquire()
    assert [repr(plain), repr(nested)] == ["<locked lock>", "<locked reentrant lock count=1>"]
    assert nested._recursion_count() == 1

    plain._at_fork_reinit()
    nested._at_fork_reinit()

    assert [repr(plain), repr(nested)] == ["<unlocked lock>", "<unlocked reentrant lock count=0>"]


def test_mirror_shares_the_state_of_the_original() -> None:
    with installed() as _:
        original = _thread.allocate_lock()
        mirror = ControlledLock(original)
        mirror.acquire()

    assert original.locked()


# -- under control ---------------------------------------------------------------------------------


def kinds(trace: Trace) -> list[str]:
    return [operation.kind.value for operation in operations(trace)]


def test_taking_a_lock_is_a_visible_step() -> None:
    lock = ControlledLock()

    def work() -> None:
        with lock:
            lock.locked()

    assert kinds(run_task(work)) == ["acquire", "check", "release"]


def test_taking_a_lock_again_is_none() -> None:
    lock = ControlledRLock()

    def work() -> None:
        with lock, lock:
            pass

    assert kinds(run_task(work)) == ["acquire", "release"]


def test_deadlock_is_recognised_at_once() -> None:
    first, second = ControlledLock(), ControlledLock()

    def one() -> None:
        with first, second:
            pass

    def other() -> None:
        with second, first:
            pass

    explorer = Explorer()
    search = explorer.search(lambda: [one, other], Dpor(), _deadlock, seconds=20)
    explorer.close()

    assert search.failure == "deadlock"
    assert search.executions <= 3
    assert not first.is_free() or not second.is_free() or search.trace is not None


def _deadlock(trace: Trace) -> str | None:
    return "deadlock" if trace.ending is Ending.DEADLOCK else None


def test_lock_taken_twice_is_a_deadlock_of_one() -> None:
    lock = ControlledLock()

    def work() -> None:
        lock.acquire()
        lock.acquire()

    trace = run_task(work)

    assert trace.ending is Ending.DEADLOCK
    assert trace.tasks[0].error is None


def test_wait_with_a_timeout_runs_out_when_nobody_else_can_go_on() -> None:
    lock = ControlledLock()

    def work() -> list[bool]:
        return [lock.acquire(), lock.acquire(timeout=5)]

    trace = run_task(work)

    assert trace.tasks[0].result == [True, False]
    assert trace.caveats == set()  # there was nobody else


def waiting(make: Callable[[], tuple[Callable[[], object], Callable[[], object]]]) -> Trace:
    """Run the waiter until it waits, then the one that wakes it."""
    explorer = Explorer()
    try:
        with installed():
            return explorer.run(make, Guided([(0, None), (1, None)]))  # type: ignore[list-item]  # task ids
    finally:
        explorer.close()


@pytest.mark.parametrize("lock", [None, "Lock", "RLock"])
def test_condition_wakes_a_waiter_that_came_first(lock: str | None) -> None:
    def make() -> tuple[Callable[[], object], Callable[[], object]]:
        condition = threading.Condition(None if lock is None else getattr(threading, lock)())
        ready: list[int] = []

        def waiter() -> list[int]:
            with condition:
                while not ready:
                    condition.wait()
                return ready

        def waker() -> None:
            with condition:
                ready.append(1)
                condition.notify()

        return waiter, waker

    trace = waiting(make)

    assert trace.ending is Ending.COMPLETE
    assert [task.result for task in trace.tasks] == [[1], None]
    assert not trace.caveats


def test_condition_nobody_notifies_is_a_deadlock_without_errors() -> None:
    def make() -> tuple[Callable[[], object], Callable[[], object]]:
        condition = threading.Condition()

        def waiter() -> None:
            with condition:
                condition.wait()

        return waiter, lambda: None

    trace = waiting(make)

    assert trace.ending is Ending.DEADLOCK
    assert [task.error for task in trace.tasks] == [None, None]


def test_condition_waits_within_a_lock_taken_twice() -> None:
    def make() -> tuple[Callable[[], object], Callable[[], object]]:
        condition = threading.Condition()

        def waiter() -> str:
            with condition, condition:
                condition.wait()
            return "woken"

        def waker() -> None:
            with condition:
                condition.notify_all()

        return waiter, waker

    assert waiting(make).tasks[0].result == "woken"


def test_condition_without_its_lock_complains_like_the_original() -> None:
    def make() -> tuple[Callable[[], object], Callable[[], object]]:
        condition = threading.Condition(threading.Lock())
        return condition.notify, lambda: None

    assert repr(waiting(make).tasks[0].error) == "RuntimeError('cannot notify on un-acquired lock')"


def test_event_wakes_a_waiter_that_came_first() -> None:
    def make() -> tuple[Callable[[], object], Callable[[], object]]:
        event = threading.Event()
        return event.wait, event.set

    assert waiting(make).tasks[0].result is True


def test_event_wait_runs_out_when_nobody_sets_it() -> None:
    def make() -> tuple[Callable[[], object], Callable[[], object]]:
        event = threading.Event()
        return lambda: event.wait(timeout=60), lambda: None

    trace = waiting(make)

    assert trace.tasks[0].result is False
    assert TIMED_WAIT in trace.caveats


def test_semaphore_lets_as_many_in_as_it_says() -> None:
    inside: list[int] = []
    most: list[int] = []

    def make() -> list[Callable[[], object]]:
        semaphore = threading.BoundedSemaphore(1)

        def work() -> None:
            with semaphore:
                inside.append(1)
                most.append(len(inside))
                inside.pop()

        return [work, work]

    explorer = Explorer()
    with installed():
        search = explorer.search(make, Dpor(), _deadlock, seconds=20)
    explorer.close()

    assert search.exhausted
    assert search.failure is None
    assert set(most) == {1}


def test_barrier_lets_go_when_all_have_come() -> None:
    def make() -> tuple[Callable[[], object], Callable[[], object]]:
        barrier = threading.Barrier(2)
        return barrier.wait, barrier.wait

    trace = waiting(make)

    assert sorted(task.result for task in trace.tasks) == [0, 1]  # type: ignore[type-var]


def test_tasks_exclude_each_other() -> None:
    lock = ControlledLock()
    order: list[str] = []

    def work(name: str) -> None:
        with lock:
            order.append(name)
            lock.locked()
            order.append(name)

    trace = run_tasks([lambda: work("a"), lambda: work("b")])

    assert trace.ending is Ending.COMPLETE
    assert order in (["a", "a", "b", "b"], ["b", "b", "a", "a"])
