"""Coroutines that sleep in a loop: they are left to sleep once they do nothing but the same again."""

import asyncio
from collections.abc import AsyncIterator

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
