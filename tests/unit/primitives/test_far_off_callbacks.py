"""Callbacks whose time is far off: what whoever has set them does meanwhile comes first."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from racehound import explore
from racehound.pipeline.explore import Exploration


class Watch:
    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.barked = False

    def bark(self) -> None:
        self.barked = True

    async def watched(self, work: Callable[[], Awaitable[object]]) -> None:
        bark = asyncio.get_running_loop().call_later(self.delay, self.bark)
        await work()
        bark.cancel()


async def _pause(seconds: float = 0) -> None:
    await asyncio.sleep(seconds)


async def _gathered() -> None:
    await asyncio.gather(_pause(), _pause(1))


async def _grouped() -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(_pause())
        group.create_task(_pause())


def _raced(work: Callable[[], Awaitable[object]], *, delay: float) -> Exploration:
    async def watched(watch: Watch) -> None:
        await watch.watched(work)

    return explore(setup=lambda: Watch(delay), workers=[watched], invariant=lambda watch: not watch.barked)


@pytest.mark.parametrize("work", [_pause, lambda: _pause(10), _gathered, _grouped])
def test_callback_that_is_cancelled_long_before_its_time_is_no_race(work: Callable[[], Awaitable[object]]) -> None:
    result = _raced(work, delay=60)

    assert result.verdict == "sampled", result.describe()
    assert "if a timeout or a timer comes early, the invariant does not hold" in result.proof.reason


@pytest.mark.parametrize(("work", "delay"), [(_pause, 0.01), (lambda: _pause(60), 60), (lambda: _pause(90), 60)])
def test_callback_that_is_cancelled_shortly_before_its_time_or_later_is_a_race(
    work: Callable[[], Awaitable[object]], delay: float
) -> None:
    assert _raced(work, delay=delay).verdict == "race"


@pytest.mark.slow
@pytest.mark.usefixtures("unmeasured")
def test_who_looks_until_the_callback_has_come_is_not_stuck() -> None:
    async def look(watch: Watch) -> None:
        asyncio.get_running_loop().call_later(watch.delay, watch.bark)
        while not watch.barked:  # noqa: ASYNC110 - on purpose
            await asyncio.sleep(0)

    result = explore(setup=lambda: Watch(60), workers=[look], invariant=lambda watch: watch.barked, budget=40)

    assert result.verdict == "safe", result.describe()


def test_callback_may_come_at_any_time_once_it_is_left_alone() -> None:
    async def set_off(watch: Watch) -> None:
        asyncio.get_running_loop().call_later(watch.delay, watch.bark)

    async def look_twice(watch: Watch) -> None:
        before = watch.barked
        await asyncio.sleep(0)
        if before is not watch.barked:
            raise RuntimeError("it barks")

    result = explore(setup=lambda: Watch(60), workers=[set_off, look_twice], invariant=lambda watch: True)

    assert result.failure == "a worker raises RuntimeError: it barks"
