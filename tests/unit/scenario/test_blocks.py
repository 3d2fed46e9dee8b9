"""Blocks that are open at once, on an event loop and on threads."""

import asyncio
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest

from racehound import explore
from racehound.scenario.blocks import Blocks
from racehound.scenario.parts import parts_of


class HandmadeLock:
    """Lets two in: it looks, waits for something else, and takes."""

    def __init__(self) -> None:
        self.is_taken = False

    async def __aenter__(self) -> None:
        while self.is_taken:  # noqa: ASYNC110 - made by hand, that is the point
            await asyncio.sleep(0.1)
        await self._say_so()
        self.is_taken = True

    async def __aexit__(self, *_: object) -> None:
        self.is_taken = False

    async def _say_so(self) -> None:
        await asyncio.sleep(0)


class SoundLock(HandmadeLock):
    async def _say_so(self) -> None:
        """Without an await in truth."""


class Pool:
    """Lends what is on top, and takes it off the pile too late."""

    def __init__(self) -> None:
        self.idle = ["first", "second"]

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[str]:
        item = self.idle[-1]
        await asyncio.sleep(0)
        if item in self.idle:
            self.idle.remove(item)
        yield item
        if item not in self.idle:
            self.idle.append(item)
            self.idle.sort()


class SoundPool(Pool):
    def __init__(self) -> None:
        super().__init__()
        self.slots = asyncio.Semaphore(len(self.idle))

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[str]:
        async with self.slots:
            item = self.idle.pop()
            await asyncio.sleep(0)
            yield item
            self.idle.append(item)


async def inside(lock: HandmadeLock) -> AsyncIterator[None]:
    async with lock:
        yield


async def borrow(pool: Pool) -> AsyncIterator[str]:
    async with pool.lent() as item:
        yield item


def test_lock_that_lets_two_in_is_a_race_although_it_leaves_nothing_behind() -> None:
    result = explore(setup=HandmadeLock, workers=[inside, inside])

    assert (result.verdict, result.failure) == ("race", "two blocks are open at once, which no serial order does")
    assert result.token is not None
    assert explore(setup=HandmadeLock, workers=[inside, inside], replay=result.token).verdict == "race"


def test_what_is_lent_to_two_at_once_is_a_race_although_each_could_have_had_it_alone() -> None:
    result = explore(setup=Pool, workers=[borrow, borrow])

    assert result.verdict == "race"
    assert "open at once" in (result.failure or "")


@pytest.mark.parametrize(
    ("setup", "worker"), [(SoundLock, inside), (SoundPool, borrow)], ids=["exclusive", "overlapping"]
)
def test_sound_blocks_on_the_event_loop_are_safe(setup: type, worker: object) -> None:
    assert explore(setup=setup, workers=[worker, worker]).verdict == "safe"  # type: ignore[list-item]  # a worker


def test_others_come_in_while_a_block_is_open() -> None:
    class Till:
        def __init__(self) -> None:
            self.coins = 0

        async def put(self) -> None:
            self.coins += 1

    async def count_twice(till: Till) -> AsyncIterator[int]:
        coins = till.coins
        yield coins
        till.coins = coins + 10

    result = explore(setup=Till, workers=[count_twice, Till.put])

    assert result.verdict == "safe"  # it says itself that others may come in there


class Slots:
    """Looks for a free one under the lock, and takes it under the lock, but not in one go."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.busy = {1: False, 2: False}

    @contextmanager
    def slot(self) -> Iterator[int]:
        with self.lock:
            number = 1 if not self.busy[1] else 2
        with self.lock:
            self.busy[number] = True
        yield number
        with self.lock:
            self.busy[number] = False


def test_threads_that_have_the_same_slot_at_once_are_a_race() -> None:
    def use(slots: Slots) -> Generator[None, None, int]:
        with slots.slot() as number:
            yield
        return number

    result = explore(setup=Slots, workers=[use, use])

    assert result.verdict == "race"
    assert "open at once" in (result.failure or "")


def test_meetings_are_those_who_stand_at_the_same_time() -> None:
    blocks = Blocks()
    blocks.begin((0, 1))
    blocks.end((0, 1))
    blocks.begin((1, 1))
    blocks.begin((2, 1))
    blocks.end((2, 1))
    blocks.end((0, 1))

    assert blocks.met == {frozenset({(1, 1), (2, 1)})}


def test_pauses_of_an_asynchronous_generator_are_told_from_its_awaits() -> None:
    async def twice() -> AsyncIterator[int]:
        await asyncio.sleep(0)
        yield 1
        await asyncio.sleep(0)
        yield 2

    assert parts_of(twice) == 3


def test_worker_that_pauses_more_often_than_its_code_tells_goes_on() -> None:
    async def often(items: list[int]) -> AsyncIterator[int]:
        for number in range(3):
            yield number
            items.append(number)

    assert explore(setup=list, workers=[often]).verdict == "safe"


def test_set_up_on_the_event_loop_leaves_its_tasks_to_the_race() -> None:
    class Adder:
        def __init__(self) -> None:
            self.total = 0
            self.numbers: asyncio.Queue[int] = asyncio.Queue()
            self.tasks = [asyncio.create_task(self._work()) for _ in range(2)]

        async def _work(self) -> None:
            while True:
                number = await self.numbers.get()
                before = self.total
                await asyncio.sleep(0)
                self.total = before + number

    async def set_up() -> Adder:
        adder = Adder()
        await asyncio.sleep(1)
        return adder

    async def add(adder: Adder) -> None:
        await adder.numbers.put(1)

    assert explore(setup=set_up, workers=[add, add]).verdict == "race"


def test_set_up_on_the_event_loop_that_raises_is_the_reason() -> None:
    async def set_up() -> None:
        raise ValueError("not today")

    async def work(_: object) -> None: ...

    result = explore(setup=set_up, workers=[work])

    assert (result.verdict, result.proof.reason) == ("inconclusive", "setup raises ValueError: not today")


def test_plain_workers_share_the_event_loop_of_their_set_up() -> None:
    async def set_up() -> list[int]:
        return []

    def add(items: list[int]) -> None:
        count = len(items)
        items.append(count)

    assert explore(setup=set_up, workers=[add, add]).verdict == "safe"


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.slow
def test_task_that_each_call_replaces_may_have_ended_before_any_of_them() -> None:
    class Restarted:
        def __init__(self) -> None:
            self.task: asyncio.Task[None] | None = None
            self.ended = 0

        async def _work(self) -> None:
            await asyncio.sleep(5)
            self.ended += 1

        async def restart(self) -> None:
            if self.task is not None:
                self.task.cancel()
            self.task = asyncio.create_task(self._work())

    assert explore(setup=Restarted, workers=[Restarted.restart] * 3, budget=40).verdict == "safe"


def test_lock_derived_from_that_of_asyncio_is_compared_without_its_insides() -> None:
    class Counting(asyncio.Lock):
        count = 0

        async def __aenter__(self) -> None:
            await super().__aenter__()
            self.count += 1

    async def within(lock: Counting) -> AsyncIterator[int]:
        async with lock:
            yield lock.count

    assert explore(setup=Counting, workers=[within, within]).verdict == "safe"


def test_tasks_look_the_same_in_messages_of_serial_orders() -> None:
    async def complain(_: object) -> None:
        raise RuntimeError(f"not by {asyncio.current_task()!r}")

    async def work(items: list[int]) -> None:
        items.append(1)

    assert explore(setup=list, workers=[complain, work]).verdict == "safe"


def test_future_that_a_plain_worker_returns_goes_on_by_itself() -> None:
    class Jobs:
        def __init__(self) -> None:
            self.running: set[asyncio.Task[None]] = set()

        async def _work(self) -> None:
            await asyncio.sleep(0)

        def start(self) -> asyncio.Task[None]:
            task = asyncio.create_task(self._work())
            self.running.add(task)
            task.add_done_callback(self.running.discard)
            return task

        def count(self) -> int:
            return len(self.running)

    async def set_up() -> Jobs:
        return Jobs()

    assert explore(setup=set_up, workers=[Jobs.start, Jobs.count]).verdict == "safe"
