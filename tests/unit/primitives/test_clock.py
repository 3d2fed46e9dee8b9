import time
from collections.abc import Callable

import pytest

from racehound.engine.execution import START_OF_TIME, Trace
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
