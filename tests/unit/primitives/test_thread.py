import _thread
import sys
import threading
from collections.abc import Callable

import pytest

from racehound.engine import execution as execution_module
from racehound.engine.control import CONTROL
from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer
from racehound.primitives.thread import LIST_OF_THREADS
from racehound.strategies.guided import Guided

Body = Callable[[], object]
Control = Callable[[Body], Trace]
Both = Callable[[Body], tuple[object, object]]
Outcomes = Callable[[Callable[[], list[Body]]], set[tuple[str, tuple[object, ...]]]]


class Own(threading.Thread):
    def run(self) -> None:
        self.seen = threading.current_thread() is self


def life() -> object:
    facts: list[object] = []
    thread = threading.Thread(target=lambda: facts.append(threading.current_thread() is thread), name="worker")
    facts += [thread.is_alive(), thread.daemon, thread.ident, thread.name]
    thread.start()
    thread.join()
    thread.join()
    facts += [thread.is_alive(), thread.ident is not None]
    return facts


def derived() -> object:
    thread = Own()
    thread.start()
    thread.join()
    return thread.seen


def started_twice() -> object:
    thread = threading.Thread(target=len, args=("",))
    thread.start()
    try:
        thread.start()
    finally:
        thread.join()
    return None


def joined_too_early() -> object:
    threading.Thread().join()
    return None


def joins_itself() -> object:
    problems: list[str] = []

    def body() -> None:
        try:
            threading.current_thread().join()
        except RuntimeError as error:
            problems.append(str(error))

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    return problems


def becomes_daemon_too_late() -> object:
    thread = threading.Thread(target=len, args=("",))
    thread.start()
    try:
        thread.daemon = True
    finally:
        thread.join()
    return None


def inherits_daemon() -> object:
    seen: list[bool] = []
    outer = threading.Thread(target=lambda: seen.append(threading.Thread().daemon), daemon=True)
    outer.start()
    outer.join()
    return seen


def without_constructor() -> object:
    class Bare(threading.Thread):
        def __init__(self) -> None:
            pass

    Bare().start()
    return None


def own_state() -> object:
    local = threading.local()
    seen: list[object] = []

    def body(value: int) -> None:
        seen.append(getattr(local, "value", None))
        local.value = value

    for value in (1, 2):
        thread = threading.Thread(target=body, args=(value,))
        thread.start()
        thread.join()
    return seen, hasattr(local, "value")


def heard_by_the_hook() -> object:
    heard: list[object] = []
    before, threading.excepthook = threading.excepthook, lambda args: heard.append(args.exc_type)
    try:
        for target, argument in ((sys.exit, "3"), (int, "x")):
            thread = threading.Thread(target=target, args=(argument,))
            thread.start()
            thread.join()
    finally:
        threading.excepthook = before
    return heard


def own_identity() -> object:
    idents: list[int] = []
    threads = [threading.Thread(target=lambda: idents.append(threading.get_ident())) for _ in range(2)]
    for thread in threads:
        thread.start()
        thread.join()
    return idents == [thread.ident for thread in threads], threading.get_ident() not in idents


STORIES = [
    *(life, derived, started_twice, joined_too_early, joins_itself, becomes_daemon_too_late, inherits_daemon),
    *(without_constructor, own_state, heard_by_the_hook, own_identity),
]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_thread_under_control_behaves_like_the_original(story: Body, both: Both) -> None:
    plain, controlled = both(story)

    assert controlled == plain


def test_what_ends_a_thread_is_its_error_and_goes_to_the_hook_of_the_program(control: Control) -> None:
    heard: list[object] = []

    def body() -> None:
        threading.excepthook = lambda args: heard.append((args.exc_type, args.thread))
        thread = threading.Thread(target=int, args=("x",))
        thread.start()
        thread.join()
        heard.append(thread)

    trace = control(body)

    assert isinstance(trace.tasks[1].error, ValueError)
    assert heard == [(ValueError, heard[1]), heard[1]]


def test_hook_of_the_surroundings_does_not_hear_of_it(
    explorer: Explorer, control: Control, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CONTROL, "excepthook", threading.excepthook)

    def body() -> None:
        thread = threading.Thread(target=int, args=("x",))
        thread.start()
        thread.join()

    trace = control(body)

    assert isinstance(trace.tasks[1].error, ValueError)


def test_names_count_from_one_in_every_execution(control: Control) -> None:
    def body() -> object:
        return [threading.Thread(target=len).name for _ in range(2)]

    assert control(body).tasks[0].result == control(body).tasks[0].result == ["Thread-1 (len)", "Thread-2 (len)"]


@pytest.mark.parametrize("more", [(), ({"by": 2},)])
def test_thread_without_an_object_is_a_task(control: Control, more: tuple[dict[str, int], ...]) -> None:
    seen: list[int] = []

    def count(by: int = 1) -> None:
        seen.append(by)

    trace = control(lambda: _thread.start_new_thread(count, (), *more))

    assert seen == [2 if more else 1]
    assert len(trace.tasks) == 2
    assert trace.tasks[0].result == trace.tasks[1].carrier.ident


def test_daemon_is_left_behind(control: Control) -> None:
    event = threading.Event()
    unwound: list[bool] = []

    def wait() -> None:
        try:
            event.wait()
        finally:
            unwound.append(True)

    trace = control(lambda: threading.Thread(target=wait, daemon=True).start())

    assert trace.ending is Ending.COMPLETE
    assert trace.caveats == set()
    assert unwound == [True]  # it had come to its wait

    def let_it_begin() -> None:
        started = threading.Event()

        def begin() -> None:
            started.set()
            wait()

        threading.Thread(target=begin, daemon=True).start()
        started.wait()

    assert control(let_it_begin).ending is Ending.COMPLETE


def test_thread_that_never_ends_is_a_deadlock(control: Control) -> None:
    event = threading.Event()

    trace = control(lambda: threading.Thread(target=event.wait).start())

    assert trace.ending is Ending.DEADLOCK
    assert [operation.label for operation in trace.blocked.values()] == ["event"]


def test_more_threads_than_can_be_searched_are_refused(control: Control, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution_module, "TASK_LIMIT", 4)

    def start_nine() -> None:
        for _ in range(9):
            threading.Thread(target=len, args=("",)).start()

    trace = control(start_nine)

    assert str(trace.broken_by) == "the code under proof starts more than 4 threads and coroutines"


def test_thread_that_is_not_under_control_cannot_be_waited_for(control: Control) -> None:
    trace = control(threading.main_thread().join)

    assert "MainThread, which is not under control" in str(trace.broken_by)


def test_asking_for_all_threads_weakens_the_verdict(control: Control) -> None:
    assert control(threading.enumerate).caveats == {LIST_OF_THREADS}
    assert control(threading.active_count).caveats == {LIST_OF_THREADS}
    assert threading.active_count() == len(threading.enumerate())


def test_join_with_a_timeout_gives_up_when_nobody_else_can_go_on(control: Control) -> None:
    def body() -> object:
        event = threading.Event()
        thread = threading.Thread(target=event.wait, daemon=True)
        thread.start()
        thread.join(timeout=2)
        return thread.is_alive()

    assert control(body).tasks[0].result is True


def test_thread_may_be_seen_alive_or_not(outcomes: Outcomes) -> None:
    def body() -> object:
        thread = threading.Thread(target=len, args=("",))
        thread.start()
        seen = thread.is_alive()
        thread.join()
        return seen

    assert outcomes(lambda: [body]) == {("complete", (True,)), ("complete", (False,))}


def test_threads_of_different_tasks_share_the_counter_of_names(outcomes: Outcomes) -> None:
    def body() -> object:
        return threading.Thread().name

    assert outcomes(lambda: [body, body]) == {
        ("complete", ("Thread-1", "Thread-2")),
        ("complete", ("Thread-2", "Thread-1")),
    }


def test_timer_may_go_off_before_it_is_cancelled_or_not(outcomes: Outcomes) -> None:
    def body() -> object:
        fired: list[int] = []
        timer = threading.Timer(60, fired.append, args=(1,))
        timer.start()
        timer.cancel()
        timer.join()
        return tuple(fired)

    assert outcomes(lambda: [body]) == {("complete", ((),)), ("complete", ((1,),))}


def test_threads_outside_of_control_are_left_alone(explorer: Explorer) -> None:
    seen: list[int] = []
    timer = threading.Timer(0, seen.append, args=(1,))
    timer.start()
    timer.join()

    assert seen == [1]
    assert not timer.is_alive()
    assert timer.name.startswith("Thread-")


def test_thread_can_be_asked_after_control_has_ended(control: Control) -> None:
    thread = threading.Thread(target=len, args=("",))
    control(thread.start)

    assert not thread.is_alive()
    thread.join()


def test_current_thread_of_a_task_is_its_own(explorer: Explorer) -> None:
    def body() -> object:
        thread = threading.current_thread()
        return thread.name, thread.is_alive(), thread.ident == threading.get_ident()

    trace = explorer.run(lambda: [body, body], Guided([]))

    assert [task.result for task in trace.tasks] == [("Task-0", True, True), ("Task-1", True, True)]
