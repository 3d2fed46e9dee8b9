"""What changes by itself between two runs is no race, however seldom it does."""

import itertools
import threading
import time
from collections.abc import Iterator
from math import inf

import pytest

from racehound import explore
from racehound.engine.explorer import Explorer
from racehound.model.schedule import TaskId
from racehound.primitives.mirrors import installed
from racehound.scenario.lateness import LATENESS, differs_as
from racehound.strategies.guided import Guided

OUTSIDE: Iterator[int] = itertools.count()
"""Counts on whatever is put back between two executions, as a clock goes on."""


class Dated:
    """Sound, but it knows the hour of its making."""

    def __init__(self, length: int) -> None:
        self.hour = next(OUTSIDE) // length
        self.value = 0
        self._lock = threading.Lock()

    def up(self) -> None:
        for _ in range(2):
            with self._lock:
                self.value += 1


@pytest.mark.parametrize("length", [6, 7])
def test_hour_that_strikes_during_the_search_is_no_race(length: int) -> None:
    result = explore(setup=lambda: Dated(length), workers=[Dated.up, Dated.up])

    assert result.verdict == "safe"


def test_race_of_a_class_that_changes_by_itself_is_found_all_the_same() -> None:
    class Racy(Dated):
        def up(self) -> None:
            self.value += 1

    result = explore(setup=lambda: Racy(7), workers=[Racy.up, Racy.up])

    assert result.verdict == "race"
    assert "hour" not in str(result.failure)


def test_state_that_never_comes_out_the_same_is_not_called_a_race() -> None:
    def make() -> list[int]:
        return list(range(next(OUTSIDE) // 6))

    result = explore(setup=make, workers=[len, len])

    assert result.verdict in {"safe", "inconclusive"}


class Bucket:
    """Sound: who finds no token sleeps as long as one takes to come, and looks again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.tokens = 0.0
        self.stamp = time.monotonic()

    def take(self) -> None:
        while True:
            with self._lock:
                now = time.monotonic()
                self.tokens = min(1.0, self.tokens + (now - self.stamp) * 2)
                self.stamp = now
                if self.tokens >= 1.0:
                    self.tokens -= 1.0
                    return
                left = (1.0 - self.tokens) / 2
            time.sleep(left)


class Limiter:
    """Two that look at once pass at once, and nothing but the time tells."""

    def __init__(self) -> None:
        self.last = 0.0

    def wait(self) -> None:
        elapsed = time.monotonic() - self.last
        if elapsed < 0.5:
            time.sleep(0.5 - elapsed)
        self.last = time.monotonic()


def test_outcome_that_comes_later_than_in_serial_orders_is_no_race() -> None:
    assert explore(setup=Bucket, workers=[Bucket.take, Bucket.take]).verdict == "safe"


def test_outcome_that_comes_too_early_is_a_race() -> None:
    assert explore(setup=Limiter, workers=[Limiter.wait, Limiter.wait]).verdict == "race"


@pytest.mark.parametrize(
    ("seen", "late", "explained"),
    [
        ("1000.5", "1000.25", True),
        ("999.5", "1000.25", False),
        ("999.5", "999.75", True),
        ("1000.5", "1000.0", False),
        ("'b'", "1000.25", False),
    ],
)
def test_lateness_explains_what_is_off_to_its_side(seen: str, late: str, explained: bool) -> None:
    exact = {"state.last": "1000.0", "state.calls": "2"}

    assert differs_as({**exact, "state.last": seen}, exact, {**exact, "state.last": late}, inf) is explained
    assert not differs_as({**exact, "state.calls": "3"}, exact, {**exact, "state.calls": "4"}, inf)
    assert not differs_as({**exact, "state.more": "1.0"}, exact, exact, inf)


@pytest.mark.parametrize(
    ("lag", "explained"), [(0.0, False), (0.25, False), (0.5, True), (1.0, True), (inf, True)]
)
def test_lateness_explains_no_more_than_there_was(lag: float, explained: bool) -> None:
    exact, late = {"state.last": "1000.0"}, {"state.last": f"{1000 + LATENESS}"}

    assert differs_as({"state.last": "1000.5"}, exact, late, lag) is explained


class Meter:
    """Whoever comes first adds the time, and both may think to be first."""

    def __init__(self) -> None:
        self.total = 0.0
        self.begun = time.monotonic()
        self.stopped = False

    def stop(self) -> None:
        time.sleep(0.5)
        if not self.stopped:
            self.total += time.monotonic() - self.begun
            self.stopped = True


def test_time_that_is_counted_twice_is_not_taken_for_a_late_one() -> None:
    assert explore(setup=Meter, workers=[Meter.stop, Meter.stop]).verdict == "race"


def test_waits_that_end_late_are_told_by_how_much() -> None:
    explorer = Explorer(seconds=10)
    bodies = [lambda: time.sleep(0.5), lambda: time.sleep(0.25)]
    begun: list[tuple[TaskId, int | None]] = [(TaskId(0), 1), (TaskId(1), 1)]
    with installed():
        lags = [
            explorer.run(lambda: bodies, Guided([*begun, (TaskId(first), None), (TaskId(1 - first), None)])).lag
            for first in (0, 1)
        ]
    explorer.close()

    assert lags == [0.25, 0.0]


class Throttled:
    """Counts what comes later than the last one."""

    def __init__(self) -> None:
        self.last = time.monotonic()
        self.count = 0

    def touch(self) -> None:
        now = time.monotonic()
        if now > self.last:
            self.last = now
            self.count += 1


def test_set_up_lies_in_the_past_when_the_race_begins() -> None:
    assert explore(setup=Throttled, workers=[Throttled.touch, Throttled.touch]).verdict == "race"
