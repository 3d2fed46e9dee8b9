"""Who waits for another one and is woken when that one comes must be woken in every order."""

import asyncio
import queue
import threading

import pytest

from racehound import explore
from racehound.scenario.judge import EVERY_ORDER


class Meeting:
    """Opens when all have come, which is counted without a lock."""

    def __init__(self, expected: int = 2) -> None:
        self.expected = expected
        self.here = 0
        self.opened = threading.Event()

    def come(self) -> None:
        self.here += 1
        if self.here == self.expected:
            self.opened.set()
        self.opened.wait()


class LockedMeeting(Meeting):
    def __init__(self, expected: int = 2) -> None:
        super().__init__(expected)
        self._lock = threading.Lock()

    def come(self) -> None:
        with self._lock:
            self.here += 1
            if self.here == self.expected:
                self.opened.set()
        self.opened.wait()


class Exchange:
    """The first one waits until the second one has left something."""

    def __init__(self) -> None:
        self.left: object = None
        self.taken = threading.Event()

    def swap(self) -> None:
        if self.left is None:
            self.left = 1
            self.taken.wait()
        else:
            self.taken.set()


class AsyncMeeting:
    def __init__(self) -> None:
        self.here = 0
        self.opened = asyncio.Event()

    async def come(self) -> None:
        before = self.here
        await asyncio.sleep(0)
        self.here = before + 1
        if self.here == 2:
            self.opened.set()
        await self.opened.wait()


async def async_meeting() -> AsyncMeeting:
    return AsyncMeeting()


@pytest.mark.parametrize("count", [2, 3])
def test_last_one_who_wakes_nobody_is_a_race(count: int) -> None:
    result = explore(setup=lambda: Meeting(count), workers=[Meeting.come] * count)

    assert result.verdict == "race"
    assert "an event that nobody will set" in (result.failure or "")


@pytest.mark.parametrize("count", [2, 3])
def test_last_one_who_wakes_all_is_none(count: int) -> None:
    explore(setup=lambda: LockedMeeting(count), workers=[LockedMeeting.come] * count).assert_safe()


def test_two_who_both_take_themselves_for_the_first_are_a_race() -> None:
    assert explore(setup=Exchange, workers=[Exchange.swap, Exchange.swap]).verdict == "race"


def test_coroutines_that_wake_nobody_are_a_race() -> None:
    assert explore(setup=async_meeting, workers=[AsyncMeeting.come, AsyncMeeting.come]).verdict == "race"


def test_standstill_of_every_order_is_told_as_such() -> None:
    workers = [queue.Queue.get, queue.Queue.get, lambda items: items.put(1)]

    result = explore(setup=queue.Queue, workers=workers)

    assert (result.failure or "").endswith(EVERY_ORDER)
