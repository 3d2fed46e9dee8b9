import concurrent.futures
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from racehound.engine.determinism import InOrder
from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer
from racehound.primitives.mirrors import installed
from racehound.strategies.guided import Guided

Body = Callable[[], object]
Control = Callable[[Body], Trace]
Both = Callable[[Body], tuple[object, object]]
Outcomes = Callable[[Callable[[], list[Body]]], set[tuple[str, tuple[object, ...]]]]


def results() -> object:
    with ThreadPoolExecutor(2, thread_name_prefix="pool") as pool:
        futures = [pool.submit(pow, number, 2) for number in range(3)]
        return [future.result() for future in futures], list(pool.map(str, range(3)))


def failure() -> object:
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(int, "x")
        return type(future.exception()), future.done(), future.cancelled()


def failure_of_a_map() -> object:
    with ThreadPoolExecutor(1) as pool:
        return list(pool.map(int, ["1", "x"]))


def callbacks() -> object:
    heard: list[object] = []
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(len, "abc")
        future.add_done_callback(lambda done: heard.append(done.result()))
    future.add_done_callback(lambda done: heard.append("late"))
    return heard


def after_shutdown() -> object:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    return pool.submit(len, "")


def initializer() -> object:
    seen: list[str] = []
    with ThreadPoolExecutor(1, initializer=seen.append, initargs=("ready",)) as pool:
        pool.submit(len, "").result()
    return seen


def as_completed() -> object:
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(len, "a" * size) for size in range(3)]
        return sorted(future.result() for future in concurrent.futures.as_completed(futures))


def waits_for_all() -> object:
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(len, "a" * size) for size in range(3)]
        done, missing = concurrent.futures.wait(futures)
        return len(done), len(missing)


def cancels_what_has_not_begun() -> object:
    gate = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(gate.wait)
        second = pool.submit(len, "")
        cancelled = second.cancel()
        gate.set()
        return first.result(), cancelled, second.cancelled()


def times_out() -> object:
    gate = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(gate.wait)
        try:
            future.result(timeout=0.01)
        except TimeoutError:
            return "timeout"
        finally:
            gate.set()
    return None


STORIES = [
    *(results, failure, failure_of_a_map, callbacks, after_shutdown, initializer, as_completed, waits_for_all),
    *(cancels_what_has_not_begun, times_out),
]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_pool_under_control_behaves_like_the_original(story: Body, both: Both) -> None:
    plain, controlled = both(story)

    assert controlled == plain


def test_pool_whose_initializer_fails_is_broken(control: Control) -> None:
    def body() -> object:
        with ThreadPoolExecutor(1, initializer=int, initargs=("x",)) as pool:
            return type(pool.submit(len, "").exception()).__name__

    assert control(body).tasks[0].result == "BrokenThreadPool"


def test_pool_that_nobody_closes_is_no_deadlock(control: Control) -> None:
    kept: list[ThreadPoolExecutor] = []

    def body() -> object:
        kept.append(ThreadPoolExecutor(1))
        return kept[0].submit(len, "ab").result()

    trace = control(body)

    assert (trace.ending, trace.tasks[0].result) == (Ending.COMPLETE, 2)
    assert trace.caveats == set()


def test_job_that_waits_for_ever_is_a_deadlock(control: Control) -> None:
    def body() -> None:
        ThreadPoolExecutor(1).submit(threading.Event().wait)

    assert control(body).ending is Ending.DEADLOCK


def test_pool_that_was_made_before_gets_threads_under_control() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(len, "ab").result() == 2  # on a thread that nobody controls
        before = dict(vars(pool))
        with installed():
            explorer = Explorer()
            trace = explorer.run(lambda: [lambda: pool.submit(len, "abc").result()], Guided([]))
            explorer.close()
        vars(pool).update(before)

    assert trace.tasks[0].result == 3


def test_names_of_pools_count_from_zero_in_every_execution(control: Control) -> None:
    def body() -> object:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(lambda: threading.current_thread().name).result()

    assert control(body).tasks[0].result == control(body).tasks[0].result == "ThreadPoolExecutor-0_0"


def test_future_may_be_cancelled_before_it_is_run_or_not(outcomes: Outcomes) -> None:
    def body() -> object:
        future: concurrent.futures.Future[int] = concurrent.futures.Future()

        def run() -> None:
            if future.set_running_or_notify_cancel():
                future.set_result(1)

        thread = threading.Thread(target=run)
        thread.start()
        cancelled = future.cancel()
        thread.join()
        return cancelled, future.cancelled()

    assert outcomes(lambda: [body]) == {("complete", ((True, True),)), ("complete", ((False, False),))}


def test_names_count_anew_for_each_execution_whether_made_in_the_set_up_or_by_a_task(explorer: Explorer) -> None:
    named: list[tuple[str | None, str]] = []

    def name() -> None:
        pool = ThreadPoolExecutor(1)
        named.append((pool._thread_name_prefix, threading.Thread().name))

    def prepare() -> list[Callable[[], object]]:
        name()
        return [name]

    for _ in range(2):
        explorer.run(prepare, InOrder())

    assert named == [("ThreadPoolExecutor-0", "Thread-1"), ("ThreadPoolExecutor-1", "Thread-2")] * 2
