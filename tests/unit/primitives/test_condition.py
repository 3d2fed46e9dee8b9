import threading
from collections.abc import Callable

import pytest

from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer

Body = Callable[[], object]
Control = Callable[[Body], Trace]
Both = Callable[[Body], tuple[object, object]]
Outcomes = Callable[[Callable[[], list[Body]]], set[tuple[str, tuple[object, ...]]]]
MADE_BEFORE = threading.Condition()


def waits_without_lock() -> object:
    return threading.Condition().wait()


def notifies_without_lock() -> object:
    threading.Condition(threading.Lock()).notify()
    return None


def times_out() -> object:
    condition = threading.Condition()
    with condition:
        return condition.wait(0.001), condition.wait(0), condition.wait_for(lambda: False, timeout=0.001)


def keeps_a_reentrant_lock() -> object:
    condition = threading.Condition()
    with condition, condition:
        condition.wait(0.001)
        return condition._is_owned()  # type: ignore[attr-defined]


def breaks_a_barrier() -> object:
    barrier = threading.Barrier(2)
    try:
        barrier.wait(0.001)
    except threading.BrokenBarrierError:
        return barrier.broken, barrier.n_waiting
    return None


@pytest.mark.parametrize(
    "story",
    [waits_without_lock, notifies_without_lock, times_out, keeps_a_reentrant_lock, breaks_a_barrier],
    ids=lambda story: story.__name__,
)
def test_condition_under_control_behaves_like_the_original(story: Body, both: Both) -> None:
    plain, controlled = both(story)

    assert controlled == plain


@pytest.mark.parametrize("lock", ["Lock", "RLock"])
def test_notify_before_wait_is_lost(lock: str, outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        condition = threading.Condition(getattr(threading, lock)())

        def wait() -> object:
            with condition:
                return condition.wait()

        def notify() -> None:
            with condition:
                condition.notify()

        return [wait, notify]

    assert outcomes(make) == {("complete", (True, None)), ("deadlock", ())}


def test_waiters_are_woken_in_the_order_in_which_they_came(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        condition = threading.Condition()
        order: list[int] = []

        def wait(number: int) -> object:
            with condition:
                order.append(number)
                woken = condition.wait(1)
                return woken and order[0] == number

        def notify() -> None:
            with condition:
                condition.notify()

        return [lambda: wait(1), lambda: wait(2), notify]

    assert {result[:2] for _, result in outcomes(make)} <= {(True, False), (False, True), (False, False)}


def test_condition_that_was_made_before_waits_under_control(control: Control) -> None:
    def body() -> object:
        def notify() -> None:
            with MADE_BEFORE:
                MADE_BEFORE.notify()

        with MADE_BEFORE:
            threading.Thread(target=notify).start()
            return MADE_BEFORE.wait()

    assert control(body).tasks[0].result is True


def test_barrier_lets_nobody_through_alone(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        barrier = threading.Barrier(2)
        return [barrier.wait, barrier.wait]

    assert outcomes(make) == {("complete", (0, 1)), ("complete", (1, 0))}


def test_waiting_alone_for_ever_is_a_deadlock(control: Control) -> None:
    trace = control(threading.Barrier(2).wait)

    assert trace.ending is Ending.DEADLOCK
    assert [operation.label for operation in trace.blocked.values()] == ["condition"]


def test_condition_outside_of_control_serves_real_threads(explorer: Explorer) -> None:
    condition = threading.Condition()

    def notify() -> None:
        with condition:
            condition.notify()

    with condition:
        thread = threading.Thread(target=notify)
        thread.start()
        assert condition.wait(5)
    thread.join()
