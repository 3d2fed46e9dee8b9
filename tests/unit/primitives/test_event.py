import threading
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer
from racehound.primitives.mirrors import installed
from racehound.strategies.guided import Guided

Body = Callable[[], object]
Control = Callable[[Body], Trace]
Outcomes = Callable[[Callable[[], list[Body]]], set[tuple[str, tuple[object, ...]]]]


def told(event: threading.Event, calls: list[str]) -> list[object]:
    actions: dict[str, Callable[[], object]] = {
        "set": event.set,
        "clear": event.clear,
        "is_set": event.is_set,
        "wait": lambda: event.wait(0),
    }
    return [actions[call]() for call in calls]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["set", "clear", "is_set", "wait"]), max_size=8))
def test_event_agrees_with_the_original_call_by_call(calls: list[str]) -> None:
    plain = told(threading.Event(), calls)
    with installed():
        explorer = Explorer()
        trace = explorer.run(lambda: [lambda: told(threading.Event(), calls)], Guided([]))
        explorer.close()

    assert trace.tasks[0].result == plain


def test_setting_releases_those_who_wait_even_if_it_is_cleared_at_once(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        event = threading.Event()

        def pulse() -> None:
            event.set()
            event.clear()

        return [event.wait, pulse]

    assert outcomes(make) == {("complete", (True, None)), ("deadlock", ())}


def test_wait_with_a_timeout_ends_when_nobody_else_can_go_on(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        event = threading.Event()
        return [lambda: event.wait(5), event.set]

    assert outcomes(make) == {("complete", (True, None))}

    assert outcomes(lambda: [lambda: threading.Event().wait(5)]) == {("complete", (False,))}


def test_looking_at_the_flag_is_a_step(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        event = threading.Event()
        return [event.is_set, event.set, event.clear]

    assert outcomes(make) == {("complete", (True, None, None)), ("complete", (False, None, None))}


def test_event_outside_of_control_is_the_original(explorer: Explorer) -> None:
    event = threading.Event()

    assert not event.wait(0.001)
    event.set()
    assert event.is_set()
    assert event.wait()
    event.clear()
    assert not event.is_set()


def test_waiting_for_an_event_that_nobody_sets_is_a_deadlock(control: Control) -> None:
    assert control(threading.Event().wait).ending is Ending.DEADLOCK
