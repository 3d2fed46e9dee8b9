"""Who sleeps for longer than another is ready to wait makes that wait end in vain: by design, and no race."""

import asyncio
import queue
import time

import pytest

from racehound import explore
from racehound.scenario.judge import OUTRUN


class Desk:
    """One at a time; who hurries does not wait for long."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self.served = 0

    async def serve(self) -> None:
        async with self._lock:
            await asyncio.sleep(5)
            self.served += 1

    async def hurry(self) -> None:
        await asyncio.wait_for(self._lock.acquire(), 1)
        self.served += 1
        self._lock.release()

    async def ask(self) -> bool:
        try:
            async with asyncio.timeout(1), self._lock:
                self.served += 1
                return True
        except TimeoutError:
            return False


class Pool:
    """One connection, which those who are slow keep for long."""

    def __init__(self) -> None:
        self.idle: queue.Queue[int] = queue.Queue()
        self.idle.put(1)

    def keep(self) -> None:
        connection = self.idle.get()
        time.sleep(5)
        self.idle.put(connection)

    def hurry(self) -> None:
        self.idle.put(self.idle.get(timeout=1))


class Letters:
    """Looks whether there is a letter, and only then says that it waits: a letter in between wakes nobody."""

    def __init__(self) -> None:
        self.letters: list[str] = []
        self.waiting: asyncio.Future[None] | None = None

    async def read(self) -> bool:
        if not self.letters:
            await asyncio.sleep(0)
            self.waiting = asyncio.get_running_loop().create_future()
            try:
                await asyncio.wait_for(self.waiting, 1)
            except TimeoutError:
                return False
        return True

    async def write(self) -> None:
        self.letters.append("dear")
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(None)


@pytest.mark.parametrize("other", [Desk.hurry, Desk.ask])
def test_timeout_that_another_outsleeps_is_no_race(other: object) -> None:
    result = explore(setup=Desk, workers=[Desk.serve, other])  # type: ignore[list-item]  # methods of one class

    assert (result.verdict, OUTRUN in str(result.proof.reason)) == ("sampled", True), result.describe()


@pytest.mark.slow
def test_item_that_is_gone_when_a_late_wait_ends_is_no_race() -> None:
    result = explore(setup=Pool, workers=[Pool.keep, Pool.keep, Pool.hurry], budget=4)

    assert result.verdict == "sampled", result.describe()


def test_wake_up_that_is_lost_before_a_timeout_is_a_race() -> None:
    assert explore(setup=Letters, workers=[Letters.read, Letters.write]).verdict == "race"
