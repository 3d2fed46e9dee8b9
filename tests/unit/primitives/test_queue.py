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
