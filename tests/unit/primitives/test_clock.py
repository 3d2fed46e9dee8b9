import threading
import time
from collections.abc import Callable
from typing import cast

import pytest

from racehound.engine.execution import START_OF_TIME, Ending, Trace
from racehound.engine.explorer import Explorer
from racehound.primitives.clock import EPOCH
from racehound.strategies.guided import Guided

Body = Callable[[], object]
Control = Callable[[Body], Trace]
Outcomes = Callable[[Callable[[], list[Body]]], set[tuple[str, tuple[object, ...]]]]

# Kept before any mirror takes its place: the virtual clock says nothing of how long a test took.
_wall_clock = time.perf_counter


def test_clocks_show_the_same_in_every_execution_and_move_while_somebody_sleeps(control: Control) -> None:
    def body() -> object:
        before = (time.monotonic(), time.perf_counter(), time.time())
        time.sleep(2.5)
        return before, (time.monotonic_ns(), time.perf_counter_ns(), time.time_ns())

    shown = control(body).tasks[0].result

    assert shown == control(body).tasks[0].result
    assert shown == (
        (START_OF_TIME, START_OF_TIME, EPOCH),
        (int(1002.5e9), int(1002.5e9), int((EPOCH + 2.5) * 1e9)),
    )


def test_sleeping_takes_no_time(control: Control) -> None:
    started = _wall_clock()
    control(lambda: time.sleep(3600))

    assert 0 <= _wall_clock() - started < 60


def test_negative_sleep_is_refused_as_by_the_original(control: Control) -> None:
    assert isinstance(control(lambda: time.sleep(-1)).tasks[0].error, ValueError)


def test_setting_up_and_judging_see_the_virtual_time(explorer: Explorer) -> None:
    seen: list[float] = []

    def prepare() -> list[Body]:
        seen.append(time.monotonic())
        return [lambda: time.sleep(5)]

    explorer.run(prepare, Guided([]))
    seen.append(time.monotonic())

    assert seen == [START_OF_TIME, START_OF_TIME + 5]


def test_who_reads_the_clock_minds_who_sleeps(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        return [lambda: time.sleep(1), lambda: time.monotonic() - START_OF_TIME]

    assert outcomes(make) == {("complete", (None, 0.0)), ("complete", (None, 1.0))}


def test_sleepers_do_not_mind_each_other(explorer: Explorer) -> None:
    from racehound.strategies.dpor import Dpor  # noqa: PLC0415

    search = explorer.search(lambda: [lambda: time.sleep(1)] * 3, Dpor(), lambda trace: None, seconds=5)

    assert (search.executions, search.exhausted) == (1, True)


@pytest.mark.parametrize(
    "clock", ["monotonic", "perf_counter", "time", "monotonic_ns", "perf_counter_ns", "time_ns"]
)
def test_clocks_of_others_are_the_real_ones(explorer: Explorer, clock: str) -> None:
    explorer.close()  # nobody sets up or judges any more
    shown = getattr(time, clock)()
    time.sleep(0.001)

    assert getattr(time, clock)() > shown


def _until_past(moment: float, wait: Callable[[float], object]) -> float:
    while (now := time.monotonic()) <= moment:
        wait(moment - now)
    return now


@pytest.mark.parametrize(
    "wait",
    [
        pytest.param(lambda seconds: time.sleep(seconds), id="sleep"),  # noqa: PLW0108 - looked up under control
        pytest.param(lambda seconds: threading.Event().wait(seconds), id="event"),
        pytest.param(lambda _: time.sleep(0), id="nothing"),
        pytest.param(lambda _: None, id="looking"),
    ],
)
def test_who_waits_until_a_time_is_past_gets_there(control: Control, wait: Callable[[float], object]) -> None:
    trace = control(lambda: _until_past(START_OF_TIME + 0.3, wait))

    assert cast("float", trace.tasks[0].result) > START_OF_TIME + 0.3
    assert len(trace.events) < 2_000


def test_condition_that_is_waited_for_no_time_lets_time_pass(control: Control) -> None:
    def body() -> float:
        changed = threading.Condition()
        with changed:
            return _until_past(START_OF_TIME + 0.3, changed.wait)

    assert cast("float", control(body).tasks[0].result) > START_OF_TIME + 0.3


def test_waits_for_a_time_end_exactly_then(control: Control) -> None:
    def body() -> float:
        for _ in range(3):
            time.sleep(0.25)
            time.sleep(0)
        return time.monotonic()

    assert control(body).tasks[0].result == START_OF_TIME + 0.75 + 3e-6


def test_who_only_watches_the_clock_for_ever_is_noticed(control: Control) -> None:
    def body() -> None:
        while time.monotonic() > 0:
            pass

    assert control(body).ending is Ending.LIVELOCK
