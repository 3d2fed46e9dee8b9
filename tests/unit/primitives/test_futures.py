import concurrent.futures
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from racehound.engine.determinism import InOrder
from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer, Search
from racehound.engine.workers import WorkersMatter, with_workers_told_apart_if_need_be
from racehound.primitives.mirrors import installed
from racehound.strategies.dpor import Dpor
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


def _two_futures() -> tuple[list["concurrent.futures.Future[int]"], list[Body]]:
    futures: list[concurrent.futures.Future[int]] = [concurrent.futures.Future() for _ in range(2)]
    return futures, [lambda future=future: future.set_result(1) for future in futures]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("return_when", "expected"),
    [("FIRST_COMPLETED", {(0,), (1,), (0, 1)}), ("ALL_COMPLETED", {(0, 1)}), ("FIRST_EXCEPTION", {(0, 1)})],
)
def test_wait_ends_with_whatever_came_first(return_when: str, expected: set[object], outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        futures, setters = _two_futures()

        def wait() -> object:
            done, _ = concurrent.futures.wait(futures, return_when=return_when)
            return tuple(number for number, future in enumerate(futures) if future in done)

        return [wait, *setters]

    assert {results[0] for _, results in outcomes(make)} == expected


def test_futures_come_in_any_order_as_they_are_completed(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        futures, setters = _two_futures()
        return [lambda: tuple(futures.index(each) for each in concurrent.futures.as_completed(futures)), *setters]

    assert {results[0] for _, results in outcomes(make)} == {(0, 1), (1, 0)}


def test_callback_is_called_once_by_whoever_comes_second(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        future: concurrent.futures.Future[int] = concurrent.futures.Future()
        heard: list[int] = []

        def listen() -> int:
            future.add_done_callback(lambda _: heard.append(threading.get_ident()))
            return len(heard)

        def fulfil() -> int:
            future.set_result(1)
            return len(heard)

        return [listen, fulfil]

    assert {results for _, results in outcomes(make)} == {(0, 1), (1, 0)}


def test_future_is_set_or_cancelled_and_never_both(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        future: concurrent.futures.Future[int] = concurrent.futures.Future()

        def fulfil() -> str:
            try:
                future.set_result(1)
            except concurrent.futures.InvalidStateError:
                return "refused"
            return "set"

        return [fulfil, future.cancel, future.done]

    seen = {results for _, results in outcomes(make)}
    assert {results[:2] for results in seen} == {("set", False), ("refused", True)}
    assert {results[2] for results in seen} == {True, False}


def test_job_is_given_before_the_pool_is_closed_or_refused(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        pool = ThreadPoolExecutor(1)

        def give() -> object:
            try:
                return pool.submit(len, "ab").result()
            except RuntimeError as error:
                return str(error)

        return [give, pool.shutdown]

    results = {results[0] for _, results in outcomes(make)}
    assert results == {2, "cannot schedule new futures after shutdown"}


def test_jobs_beyond_the_workers_begin_in_the_order_in_which_they_were_given(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        begun: list[int] = []

        def run() -> object:
            with ThreadPoolExecutor(1) as pool:
                for number in range(3):
                    pool.submit(begun.append, number)
            return tuple(begun)

        return [run]

    assert outcomes(make) == {("complete", ((0, 1, 2),))}


@pytest.mark.parametrize("free", [0, 1])
def test_queued_job_begins_when_either_worker_is_free(free: int, control: Control) -> None:
    def body() -> object:
        gates = [threading.Event(), threading.Event()]
        gates[free].set()
        pool = ThreadPoolExecutor(2)
        for gate in gates:
            pool.submit(gate.wait)
        done = pool.submit(len, "abc").result()
        gates[1 - free].set()
        return done

    assert control(body).tasks[0].result == 3


LOCAL = threading.local()


def _leave_local() -> None:
    LOCAL.left = True


def _leave_variable() -> None:
    VARIABLE.set(1)


def _ask_for_name() -> str:
    return threading.current_thread().name


VARIABLE: contextvars.ContextVar[int] = contextvars.ContextVar("VARIABLE")


def _ask_for_number() -> int:
    return threading.get_ident()


@pytest.mark.parametrize("job", [_leave_local, _leave_variable, _ask_for_name, _ask_for_number])
def test_workers_are_told_apart_where_that_matters(job: Body, explorer: Explorer) -> None:
    def body() -> object:
        with ThreadPoolExecutor(2) as pool:
            return pool.submit(job).exception()

    with pytest.raises(WorkersMatter):
        explorer.run(lambda: [body], Guided([]))

    trace = with_workers_told_apart_if_need_be(lambda: explorer.run(lambda: [body], Guided([])))
    assert (trace.ending, trace.tasks[0].result) == (Ending.COMPLETE, None)


def test_worker_finds_what_an_earlier_job_left_in_its_thread(explorer: Explorer) -> None:
    seen: set[object] = set()

    def body() -> None:
        local = threading.local()

        def job() -> object:
            local.jobs = getattr(local, "jobs", 0) + 1
            VARIABLE.set(local.jobs)
            return local.jobs

        with ThreadPoolExecutor(2) as pool:
            seen.add(tuple(future.result() for future in [pool.submit(job), pool.submit(job)]))

    def search() -> Search:
        return explorer.search(lambda: [body], Dpor(), lambda _: None, seconds=20)

    assert with_workers_told_apart_if_need_be(search).exhausted
    assert seen == {(1, 1), (1, 2)}


@pytest.mark.parametrize("look", ["qsize", "empty"])
def test_pool_that_is_looked_into_is_exact(look: str, explorer: Explorer) -> None:
    def body() -> object:
        pool = ThreadPoolExecutor(1)
        answer = getattr(pool._work_queue, look)()
        pool.submit(len, "").result()
        return answer

    trace = with_workers_told_apart_if_need_be(lambda: explorer.run(lambda: [body], Guided([])))

    assert (trace.ending, trace.tasks[0].result) == (Ending.COMPLETE, look == "empty")
