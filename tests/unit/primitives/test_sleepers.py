"""Coroutines that sleep in a loop: they are left to sleep once they do nothing but the same again."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable

import pytest

from racehound import explore


class Service:
    """Has something going on in the background for ever."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.started = 0
        self.beats = 0

    async def _go_on(self) -> None:
        while True:  # noqa: ASYNC110 - a loop that only sleeps is the point
            await asyncio.sleep(1)

    async def start(self) -> None:
        if self.task is None:
            self.started += 1
            self.task = asyncio.create_task(self._go_on())

    async def stop(self) -> None:
        task, self.task = self.task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


class SlowlyStarted(Service):
    async def start(self) -> None:
        if self.task is None:
            await asyncio.sleep(0)
            await super().start()
            self.started += 1


class Beating(Service):
    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(1)
            self.beats += 1


class Waking(Service):
    """The loop is what others wait for."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[asyncio.Future[None]] = []

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(1)
            for future in self.waiting:
                if not future.done():
                    future.set_result(None)

    async def wait(self) -> None:
        await self.start()
        self.waiting.append(asyncio.get_running_loop().create_future())
        await self.waiting[-1]


class Looking(Service):
    """Waits by looking, behind a generator of its own."""

    async def _rounds(self) -> AsyncIterator[int]:
        number = 0
        while number < 5:
            number += 1
            await asyncio.sleep(1)
            yield number

    async def start(self) -> None:
        async for _ in self._rounds():
            pass
        self.started += 1


def test_race_is_found_beside_a_loop_that_never_ends() -> None:
    result = explore(setup=SlowlyStarted, workers=[SlowlyStarted.start, SlowlyStarted.start])

    assert result.verdict == "race"


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    "workers",
    [
        [Service.start, Service.start],
        [Service.start, Service.stop],
        [Waking.wait, Waking.wait],
        [Looking.start],
    ],
    ids=["started", "stopped", "waited-for", "behind-a-generator"],
)
def test_loop_that_only_sleeps_is_no_reason_to_doubt(workers: list[object]) -> None:
    kind = {"Waking": Waking, "Looking": Looking}.get(workers[0].__qualname__.partition(".")[0], Service)  # type: ignore[attr-defined]  # a method

    assert explore(setup=kind, workers=workers, budget=40).verdict == "safe"  # type: ignore[arg-type]  # methods of that class


@pytest.mark.slow
@pytest.mark.usefixtures("unmeasured")
def test_loop_that_counts_goes_on_and_is_said_to_do_so() -> None:
    result = explore(setup=Beating, workers=[Beating.start, Beating.start], budget=40)

    assert result.verdict == "sampled"
    assert "background" in result.proof.reason


@pytest.mark.slow
def test_cancelled_sleeper_ends() -> None:
    async def started_and_stopped(service: Service) -> None:
        await service.start()
        for _ in range(4):
            await asyncio.sleep(1)
        await service.stop()

    assert explore(setup=Service, workers=[started_and_stopped], budget=40).verdict == "safe"


async def started() -> Beating:
    service = Beating()
    await service.start()
    return service


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setup", "workers"),
    [(Beating, [Beating.start, Beating.stop]), (started, [Beating.stop, Beating.stop])],
    ids=["started-beside", "started-before"],
)
def test_how_far_a_loop_came_that_was_stopped_is_no_race(setup: object, workers: list[object]) -> None:
    result = explore(setup=setup, workers=workers, budget=5)  # type: ignore[arg-type]  # of either kind

    assert result.verdict == "sampled", result.describe()


class Feed:
    def __init__(self) -> None:
        self.closed = False
        self.seen = 0


async def poll(feed: Feed) -> None:
    while not feed.closed:  # noqa: ASYNC110 - a loop that only looks is the point
        await asyncio.sleep(0)
    feed.seen += 1


async def close(feed: Feed) -> None:
    await asyncio.sleep(0)
    feed.closed = True


def test_one_who_looks_again_and_again_waits_for_the_change() -> None:
    assert explore(setup=Feed, workers=[poll, close], invariant=lambda feed: feed.seen == 1).verdict == "safe"


def test_one_who_looks_for_what_never_comes_stands_still() -> None:
    result = explore(setup=Feed, workers=[poll], invariant=lambda feed: feed.seen == 1)

    assert (result.verdict, result.executions) == ("race", 1)


async def _equal_items() -> AsyncIterator[None]:
    for _ in range(6):
        yield None


async def go_over_equal_items(feed: Feed) -> None:
    for _ in itertools.repeat(None, 6):
        await asyncio.sleep(0)
    feed.seen += 1


async def wait_for_equal_items(feed: Feed) -> None:
    async for _ in _equal_items():
        await asyncio.sleep(0)
    feed.seen += 1


async def draw_from_a_counter(feed: Feed) -> None:
    numbers = itertools.count()
    while next(numbers) < 6:  # noqa: ASYNC110 - one that counts comes to its end
        await asyncio.sleep(0)
    feed.seen += 1


@pytest.mark.parametrize("worker", [go_over_equal_items, wait_for_equal_items, draw_from_a_counter])
def test_loop_that_comes_to_its_end_is_not_left_to_sleep(worker: Callable[[Feed], object]) -> None:
    result = explore(setup=Feed, workers=[worker, close], invariant=lambda feed: feed.seen == 1)

    assert result.verdict == "safe"
