"""One executor used by many callers at once."""

import contextvars
import gc
import threading
import weakref

import pytest

from drivers.executor_driver import PATIENCE, Strategies, double, fail, gate, pipelines, statuses, tally, until
from racehound.guard import CircuitBreaker, ParallelStrategyExecutor
from racehound.guard.executor import Limits, Mode, Strategy
from racehound.guard.executor.pool import Worker


def test_simultaneous_rounds_keep_their_arguments_and_results_apart() -> None:
    with ParallelStrategyExecutor({"a": double, "b": str, "c": fail}, max_workers=3) as executor:
        rounds = pipelines(executor, callers=8, rounds=25)

    assert [outcomes["a"].value for outcomes in rounds] == [2 * number for number in range(200)]
    assert [outcomes["b"].value for outcomes in rounds] == [str(number) for number in range(200)]
    assert tally(rounds) == {("a", "ok"): 200, ("b", "ok"): 200, ("c", "failed"): 200}


def test_no_failure_is_lost_between_simultaneous_rounds() -> None:
    breaker = CircuitBreaker(failure_threshold=10**6)
    with ParallelStrategyExecutor({"bad": fail, "good": double}, breaker=breaker) as executor:
        pipelines(executor, callers=8, rounds=50)
        counted = executor.statistics()

    assert breaker.failures("bad") == 400
    assert (counted["bad"]["failed"], counted["good"]["ok"]) == (400, 400)


def test_a_threshold_is_reached_exactly_under_simultaneous_rounds() -> None:
    breaker = CircuitBreaker(failure_threshold=50, open_seconds=600.0)
    with ParallelStrategyExecutor({"bad": fail}, max_workers=8, breaker=breaker) as executor:
        counts = tally(pipelines(executor, callers=8, rounds=25))

    assert breaker.is_open("bad")
    # Those already admitted when the circuit opened are the only ones past the threshold.
    assert 50 <= counts["bad", "failed"] <= 50 + 7
    assert counts["bad", "failed"] + counts["bad", "skipped"] == 200


def test_no_more_plain_strategies_run_at_once_than_there_are_workers() -> None:
    lock = threading.Lock()
    running = peak = 0

    def measured(_: int) -> None:
        nonlocal running, peak
        with lock:
            running += 1
            peak = max(peak, running)
        meeting.wait(0.001)
        with lock:
            running -= 1

    meeting = threading.Event()
    with ParallelStrategyExecutor({"a": measured, "b": measured}, max_workers=3) as executor:
        pipelines(executor, callers=8, rounds=10)

    assert peak == 3


def test_strategies_really_run_in_parallel() -> None:
    together = threading.Barrier(4)
    strategies: Strategies = {str(number): lambda _: together.wait(PATIENCE) for number in range(4)}
    with ParallelStrategyExecutor(strategies, max_workers=4) as executor:
        assert {outcome.status for outcome in executor.run(1).values()} == {"ok"}


def test_context_variables_reach_the_strategies_and_do_not_leak_back() -> None:
    variable = contextvars.ContextVar("variable", default="unset")

    def read_and_write(_: int) -> str:
        seen = variable.get()
        variable.set("changed")
        return seen

    with ParallelStrategyExecutor({"a": read_and_write, "b": read_and_write}, max_workers=1) as executor:
        assert executor.run(1)["b"].value == "unset"
        token = variable.set("caller")
        assert [outcome.value for outcome in executor.run(1).values()] == ["caller", "caller"]
        assert variable.get() == "caller"
        variable.reset(token)
        assert executor.run(1)["a"].value == "unset"


@pytest.mark.slow
def test_a_storm_of_hangs_failures_and_modes_leaves_nothing_behind() -> None:
    modes = [Mode.ALL, Mode.FIRST_SUCCESS, Mode.quorum(2), Mode.hedged(0.001)]
    breaker = CircuitBreaker(failure_threshold=10**6)

    def storm(caller: int) -> None:
        for number in range(20):
            outcomes = executor.run(number, timeout=0.01 if number % 5 == 0 else 5.0, mode=modes[number % 4])
            assert list(outcomes) == ["quick", "bad", "hang"]

    with gate() as hanging:
        strategies: Strategies = {"quick": double, "bad": fail, "hang": Strategy(hanging, timeout=0.005)}
        limits = Limits(stragglers=3)
        with ParallelStrategyExecutor(strategies, 4, breaker=breaker, limits=limits) as executor:
            threads = [threading.Thread(target=storm, args=(caller,)) for caller in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            hanging.open()
            until(lambda: not executor.stragglers())
            counted = executor.statistics()
            assert statuses(executor.run(1, timeout=PATIENCE)) == {"quick": "ok", "bad": "failed", "hang": "ok"}

    assert {name: sum(counts.values()) - counts["late"] for name, counts in counted.items()} == dict.fromkeys(
        strategies, 120
    )
    # Rejected, skipped and cancelled strategies say nothing: the failures are those that the callers saw.
    assert breaker.failures("bad") == counted["bad"]["failed"] + 1


def test_a_finished_round_leaves_no_garbage_for_the_collector() -> None:
    class Result:
        pass

    with ParallelStrategyExecutor({"make": lambda kind: kind(), "fail": fail}, max_workers=1) as executor:
        gc.disable()
        try:
            result = weakref.ref(executor.run(Result)["make"].unwrap())
            until(lambda: result() is None)
        finally:
            gc.enable()


def test_an_executor_that_nobody_holds_lets_its_workers_go() -> None:
    def use_once() -> set[threading.Thread]:
        before = set(threading.enumerate())
        ParallelStrategyExecutor({"a": double, "b": double}).run(1)
        return {thread for thread in set(threading.enumerate()) - before if isinstance(thread, Worker)}

    for worker in use_once():
        worker.join(PATIENCE)
        assert not worker.is_alive()


def test_threads_are_started_only_as_needed() -> None:
    with ParallelStrategyExecutor({"a": double}, max_workers=50) as executor:
        for _ in range(30):
            executor.run(1)
            until(lambda: executor._places._pool._idle == 1)
        assert len(executor._places._pool._workers) == 1
