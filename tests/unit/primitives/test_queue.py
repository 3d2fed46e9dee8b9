import _queue
import queue
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racehound.engine.control import CONTROL
from racehound.engine.explorer import Explorer
from racehound.primitives.mirrors import installed
from racehound.primitives.queue import ControlledSimpleQueue
from racehound.strategies.guided import Guided

Body = Callable[[], object]
Outcomes = Callable[[Callable[[], list[Body]]], set[tuple[str, tuple[object, ...]]]]
MAKERS: dict[str, Callable[[], Any]] = {
    "Queue": lambda: queue.Queue(2),
    "LifoQueue": lambda: queue.LifoQueue(2),
    "PriorityQueue": lambda: queue.PriorityQueue(2),
    "SimpleQueue": lambda: queue.SimpleQueue(),  # noqa: PLW0108 - looked up when it is called
}
CALLS = st.lists(
    st.sampled_from(["put 3", "put 1", "get", "get timed", "get negative", "qsize", "empty"]), max_size=8
)


def told(items: queue.Queue[int], calls: list[str]) -> list[object]:
    actions: dict[str, Callable[[], object]] = {
        "put 3": lambda: items.put_nowait(3),
        "put 1": lambda: items.put_nowait(1),
        "get": items.get_nowait,
        "get timed": lambda: items.get(timeout=0),
        "get negative": lambda: items.get(timeout=-1),
        "qsize": items.qsize,
        "empty": items.empty,
    }
    results: list[object] = []
    for call in calls:
        try:
            results.append(actions[call]())
        except (queue.Empty, queue.Full, ValueError) as error:
            results.append((type(error).__name__, str(error)))
    return results


@pytest.mark.parametrize("kind", MAKERS)
@settings(max_examples=25, deadline=None)
@given(calls=CALLS)
def test_queue_agrees_with_the_original_call_by_call(kind: str, calls: list[str]) -> None:
    plain = told(MAKERS[kind](), calls)
    with installed():
        explorer = Explorer()
        trace = explorer.run(lambda: [lambda: told(MAKERS[kind](), calls)], Guided([]))
        explorer.close()

    assert trace.tasks[0].result == plain


@pytest.mark.parametrize("kind", MAKERS)
def test_item_reaches_whoever_waits_for_it(kind: str, outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        items = MAKERS[kind]()
        return [lambda: items.get(), lambda: items.put(7)]  # noqa: PLW0108 - looked up under control

    assert outcomes(make) == {("complete", (7, None))}


def test_only_one_gets_the_item(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        items: queue.SimpleQueue[int] = queue.SimpleQueue()
        items.put(1)
        return [items.get] * 2

    assert outcomes(make) == {("deadlock", ())}


def test_timed_get_gives_up_when_nobody_else_can_go_on(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        items: queue.SimpleQueue[int] = queue.SimpleQueue()

        def get() -> object:
            try:
                return items.get(timeout=3)
            except queue.Empty:
                return "empty"

        return [get, get, lambda: items.put(1)]

    assert outcomes(make) == {("complete", (1, "empty", None)), ("complete", ("empty", 1, None))}


def test_producer_waits_for_room_and_join_for_the_work_to_be_done(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        items: queue.Queue[int] = queue.Queue(maxsize=1)

        def consume() -> object:
            taken = items.get()
            items.task_done()
            return taken

        def produce() -> None:
            items.put(1)
            items.join()

        return [produce, consume]

    assert outcomes(make) == {("complete", (None, 1))}


def test_original_that_was_made_before_gets_a_mirror_with_what_it_holds(explorer: Explorer) -> None:
    original: _queue.SimpleQueue[int] = _queue.SimpleQueue()
    original.put(1)
    assert CONTROL.mirror_of is not None
    mirror = CONTROL.mirror_of(original)

    assert isinstance(mirror, ControlledSimpleQueue)
    assert mirror is CONTROL.mirror_of(original)
    assert mirror.get() == 1
    assert mirror.empty()
    with pytest.raises(queue.Empty):
        mirror.get_nowait()


def test_queue_outside_of_control_serves_real_threads(explorer: Explorer) -> None:
    items: queue.Queue[int] = queue.Queue()
    thread = threading.Thread(target=items.put, args=(1,))
    thread.start()

    assert items.get() == 1
    thread.join()
    with pytest.raises(queue.Empty):
        items.get(timeout=0.001)


def test_everybody_waits_for_all_that_is_unfinished_whoever_does_it(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        items: queue.Queue[int] = queue.Queue()
        items.put(0)
        done: list[int] = []

        def work() -> None:
            done.append(items.get())
            items.task_done()

        def wait() -> int:
            items.join()
            return len(done)

        return [work, wait, lambda: items.put(1)]

    assert {results[1] for ending, results in outcomes(make) if ending == "complete"} == {1}


def test_place_that_is_emptied_is_the_one_that_somebody_waits_for(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        items: queue.Queue[int] = queue.Queue(maxsize=1)
        items.put(0)
        return [lambda: items.put(1), items.get, items.full]

    assert {results[1] for _, results in outcomes(make)} == {0}


def test_done_more_often_than_there_was_to_do_is_refused_in_every_order(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        items: queue.Queue[int] = queue.Queue()

        def done() -> str:
            try:
                items.task_done()
            except ValueError as error:
                return str(error)
            return "done"

        return [done, lambda: items.put(1), done]

    answers = {(results[0], results[2]) for _, results in outcomes(make)}
    refused = "task_done() called too many times"
    assert answers == {(refused, refused), ("done", refused), (refused, "done")}


def test_who_holds_the_lock_of_a_queue_keeps_others_out(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        items: queue.Queue[int] = queue.Queue()

        def look_twice() -> object:
            with items.mutex:
                return len(items.queue), (items.mutex.locked(), len(items.queue))[1]

        return [look_twice, lambda: items.put(1)]

    assert {results[0] for _, results in outcomes(make)} == {(0, 0), (1, 1)}


class Task:
    """Compared by code of the program."""

    def __init__(self, urgency: int) -> None:
        self.urgency = urgency

    def __lt__(self, other: "Task") -> bool:
        return self.urgency < other.urgency


def test_most_urgent_comes_first_whatever_compares(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        items: queue.PriorityQueue[Task] = queue.PriorityQueue()
        return [lambda: items.put(Task(2)), lambda: items.put(Task(1)), lambda: items.get().urgency]

    assert {results[2] for _, results in outcomes(make)} == {1, 2}


@pytest.mark.skipif(not hasattr(queue.Queue, "shutdown"), reason="since Python 3.13")
def test_queue_that_is_shut_down_lets_nobody_wait(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        items: Any = queue.Queue()

        def get() -> object:
            try:
                return items.get()
            except Exception as error:  # noqa: BLE001 - of a kind that older versions do not know
                return type(error).__name__

        return [get, items.shutdown]

    assert {results[0] for _, results in outcomes(make)} == {"ShutDown"}
