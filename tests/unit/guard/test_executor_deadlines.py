"""A strategy that does not come back costs its own outcome, and nothing else."""

import re
import threading
from time import monotonic

import pytest

from drivers.executor_driver import PATIENCE, Strategies, double, gate, running, statuses, until
from racehound.guard import ParallelStrategyExecutor
from racehound.guard.executor import Limits, Status, Strategy, StrategyTimedOut, cancellation


def test_a_strategy_past_its_own_timeout_is_given_up_and_the_others_are_not() -> None:
    with gate() as hanging:
        strategies: Strategies = {"hang": Strategy(hanging, timeout=0.02), "good": double}
        with ParallelStrategyExecutor(strategies) as executor:
            outcomes = executor.run(1)
            hanging.open()

    assert statuses(outcomes) == {"hang": "timed_out", "good": "ok"}
    assert isinstance(outcomes["hang"].error, StrategyTimedOut)
    assert str(outcomes["hang"].error) == "hang: not back within its 0.02 s"
    assert outcomes["hang"].duration >= 0.02


def test_the_timeout_of_a_strategy_counts_from_its_start() -> None:
    """With one worker the second hang starts when the first is given up, and gets its full time."""
    with gate() as hanging:
        strategies: Strategies = {"a": Strategy(hanging, timeout=0.05), "b": Strategy(hanging, timeout=0.05)}
        with ParallelStrategyExecutor(strategies, max_workers=1) as executor:
            outcomes = executor.run(1)
            hanging.open()

    assert statuses(outcomes) == {"a": "timed_out", "b": "timed_out"}
    assert outcomes["b"].duration >= 0.05


def test_the_overall_deadline_ends_the_round() -> None:
    with gate() as hanging:
        strategies: Strategies = {"hang": Strategy(hanging, timeout=60.0), "good": double}
        with ParallelStrategyExecutor(strategies) as executor:
            started = monotonic()
            outcomes = executor.run(1, timeout=0.05)
            took = monotonic() - started
            hanging.open()

    assert statuses(outcomes) == {"hang": "timed_out", "good": "ok"}
    assert str(outcomes["hang"].error) == "hang: not back within the 0.05 s of its round"
    assert 0.05 <= took < 10


def test_the_limits_give_the_deadline_of_a_round_that_states_none() -> None:
    with gate() as hanging, ParallelStrategyExecutor({"hang": hanging}, limits=Limits(timeout=0.02)) as executor:
        assert statuses(executor.run(1)) == {"hang": "timed_out"}
        hanging.open()


def test_a_deadline_of_zero_gives_up_at_once() -> None:
    with gate() as hanging, ParallelStrategyExecutor({"hang": hanging}) as executor:
        assert statuses(executor.run(1, timeout=0)) == {"hang": "timed_out"}
        hanging.open()


def test_a_huge_deadline_is_no_deadline() -> None:
    with ParallelStrategyExecutor({"good": double}) as executor:
        assert statuses(executor.run(1, timeout=1e12)) == {"good": "ok"}


@pytest.mark.parametrize("workers", [1, 2])
def test_hanging_strategies_cannot_starve_the_pool(workers: int) -> None:
    with gate() as hanging:
        strategies: Strategies = {"hang": hanging, "hang too": hanging, "good": double}
        with ParallelStrategyExecutor(strategies, workers, limits=Limits(stragglers=3)) as executor:
            first = executor.run(1, timeout=0.05)
            second = executor.run(2, timeout=0.05)
            with ParallelStrategyExecutor({"good": double}, workers) as other:
                assert statuses(other.run(1)) == {"good": "ok"}
            hanging.open()
            until(lambda: not executor.stragglers())
            third = executor.run(3, timeout=20)

    assert statuses(first)["hang"] == statuses(second)["hang"] == "timed_out"
    assert statuses(third) == {"hang": "ok", "hang too": "ok", "good": "ok"}


def test_work_queued_behind_a_hang_runs_as_soon_as_the_hang_is_given_up() -> None:
    with gate() as hanging:
        strategies: Strategies = {"hang": Strategy(hanging, timeout=0.05), "good": double}
        with ParallelStrategyExecutor(strategies, max_workers=1) as executor:
            outcomes = executor.run(4, timeout=20)
            hanging.open()

    assert statuses(outcomes) == {"hang": "timed_out", "good": "ok"}


def test_a_straggler_is_reported_with_the_line_it_is_at_until_it_returns(caplog: pytest.LogCaptureFixture) -> None:
    with gate() as hanging, ParallelStrategyExecutor({"hang": hanging}) as executor:
        until(
            lambda: bool(executor.run(1, timeout=0.02) and executor.stragglers())
        )  # a busy machine may not start it
        (straggler,) = executor.stragglers()
        hanging.open()
        until(lambda: not executor.stragglers())

    assert (straggler.strategy, straggler.status) == ("hang", Status.TIMED_OUT)
    assert 0 < straggler.seconds < PATIENCE  # since it began, which may be after its round did
    assert straggler.thread.startswith("strategies-")
    assert re.search(r"executor_driver\.py:\d+ in __call__$", straggler.where)
    assert "hang: not back within the 0.02 s of its round; it still runs" in caplog.text


def test_the_worker_of_a_straggler_leaves_when_it_returns() -> None:
    before = set(threading.enumerate())
    with gate() as hanging, ParallelStrategyExecutor({"hang": hanging}, max_workers=1) as executor:
        executor.run(1, timeout=0.02)
        (lost,) = set(threading.enumerate()) - before
        hanging.open()
        lost.join(20)
        assert not lost.is_alive()
        assert statuses(executor.run(1)) == {"hang": "ok"}


def test_a_strategy_with_too_many_stragglers_is_rejected_until_one_returns() -> None:
    with gate() as hanging, ParallelStrategyExecutor({"hang": hanging}, limits=Limits(stragglers=2)) as executor:
        seen = [statuses(executor.run(1, timeout=0.02))["hang"] for _ in range(4)]
        refused = executor.run(1)["hang"]
        hanging.open()
        until(lambda: not executor.stragglers())
        afterwards = statuses(executor.run(1))["hang"]

    assert seen == ["timed_out", "timed_out", "rejected", "rejected"]
    assert str(refused.error) == "hang: 2 earlier runs of it have not come back"
    assert afterwards == "ok"


def test_a_late_error_is_logged_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    def fail_late(number: int) -> None:
        hanging(number)
        raise LookupError("too late")

    caplog.set_level("INFO", logger="racehound.guard.executor")
    with gate() as hanging, ParallelStrategyExecutor({"late": fail_late}) as executor:
        executor.run(1, timeout=0.02)
        hanging.open()
        until(lambda: not executor.stragglers())
        assert executor.statistics()["late"] == {
            "ok": 0,
            "failed": 0,
            "timed_out": 1,
            "skipped": 0,
            "cancelled": 0,
            "rejected": 0,
            "late": 1,
        }
    assert "late came back late: failed" in caplog.text
    assert "LookupError: too late" in caplog.text


def test_a_full_queue_rejects_and_a_free_worker_does_not() -> None:
    with gate() as first, ParallelStrategyExecutor({"a": first}, 1, limits=Limits(queue=1)) as executor:
        with running(lambda: executor.run(1)) as result, running(lambda: executor.run(2)) as queued:
            first.wait_for_arrival()
            until(lambda: executor._places._pool._outstanding == 2)
            refused = executor.run(4)["a"]
            first.open()
            assert statuses(result()) == statuses(queued()) == {"a": "ok"}
        assert [statuses(executor.run(5)) for _ in range(20)] == [{"a": "ok"}] * 20

    assert "queue is full" in str(refused.error)


def test_given_up_work_makes_room_in_a_limited_queue() -> None:
    with gate() as hanging, ParallelStrategyExecutor({"a": hanging}, 1, limits=Limits(queue=0)) as executor:
        assert statuses(executor.run(1, timeout=0.02)) == {"a": "timed_out"}
        assert statuses(executor.run(1, timeout=0.02)) == {"a": "timed_out"}
        hanging.open()
        until(lambda: not executor.stragglers())
        assert statuses(executor.run(1)) == {"a": "ok"}


def test_a_strategy_can_ask_whether_its_result_is_still_wanted() -> None:
    seen: list[bool] = []
    stopped = threading.Event()

    def polite(_: int) -> None:
        seen.append(cancellation().requested)
        seen.append(cancellation().wait(20))
        seen.append(cancellation().requested)
        try:
            cancellation().check()
        finally:
            stopped.set()

    with ParallelStrategyExecutor({"polite": polite}) as executor:
        assert statuses(executor.run(1, timeout=0.02)) == {"polite": "timed_out"}
        assert stopped.wait(20)
        until(lambda: not executor.stragglers())

    assert seen == [False, True, True]


def test_asking_after_the_end_answers_at_once() -> None:
    def ask_late(_: int) -> bool:
        mine = cancellation()
        assert mine.wait(20)
        return mine.wait(20)

    with ParallelStrategyExecutor({"a": ask_late}) as executor:
        executor.run(1, timeout=0.02)
        until(lambda: executor.statistics()["a"]["late"] == 1)


def test_outside_of_a_strategy_nothing_is_ever_cancelled() -> None:
    assert not cancellation().requested
    assert not cancellation().wait(0)
    cancellation().check()


def test_many_waits_of_one_strategy_leave_nothing_behind_and_a_straggler_is_found_at_its_own_line() -> None:
    waiting = threading.Semaphore(0)
    kept: list[int] = []

    def poll(_: int) -> None:
        for _ in range(100):
            cancellation().wait(0.0)
        kept.append(len(cancellation()._attempt._stoppers))  # type: ignore[union-attr, arg-type]  # within a strategy
        waiting.release()
        gate_of_poll.wait(PATIENCE)

    gate_of_poll = threading.Event()
    with ParallelStrategyExecutor({"poll": Strategy(poll, timeout=0.05)}) as executor:
        assert statuses(executor.run(1)) == {"poll": "timed_out"}
        assert waiting.acquire(timeout=PATIENCE)
        (straggler,) = executor.stragglers()
        gate_of_poll.set()

    assert kept == [1]
    assert re.search(r"test_executor_deadlines\.py:\d+ in poll$", straggler.where)
