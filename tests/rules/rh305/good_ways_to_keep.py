import asyncio

import anyio

PENDING = set()


async def work(number):
    await asyncio.sleep(number)


async def awaited():
    await asyncio.create_task(work(1))


async def awaited_later():
    task = asyncio.create_task(work(1))
    await work(2)
    await task


async def gathered():
    tasks = [asyncio.create_task(work(n)) for n in range(3)]
    await asyncio.gather(*tasks)


async def gathered_inline():
    await asyncio.gather(work(1), asyncio.create_task(work(2)))


async def returned():
    return asyncio.create_task(work(1))


async def returned_from_a_variable():
    task = asyncio.create_task(work(1))
    return task


async def in_a_set():
    PENDING.add(asyncio.create_task(work(1)))


async def in_a_mapping(tasks):
    tasks["one"] = asyncio.create_task(work(1))


async def in_one_of_two_branches(flag):
    task = None
    if flag:
        task = asyncio.create_task(work(1))
    if task is not None:
        await task


async def used_by_a_closure():
    task = asyncio.create_task(work(1))

    def stop():
        task.cancel()

    return stop


async def group():
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(work(1))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(work, 1)


def keep(coroutine):
    task = asyncio.create_task(coroutine)
    PENDING.add(task)
    task.add_done_callback(PENDING.discard)
    return task


async def through_a_keeper():
    keep(work(1))


async def yielded():
    yield asyncio.create_task(work(1))


class Service:
    async def start(self):
        self._task = asyncio.create_task(work(1))
        self._other = self._scheduler.create_task(work(2))

    async def schedule(self):
        self._scheduler.create_task(work(2))

    async def wait(self):
        await self._task


class Tracker:
    def create_task(self, coroutine):
        self._tasks.append(coroutine)


async def own_method_of_that_name():
    Tracker().create_task(work(1))


async def global_name():
    global PENDING
    PENDING = asyncio.create_task(work(1))


async def alternative(flag):
    task = asyncio.create_task(work(1)) if flag else None
    return task


class Exchange:
    """Fills one slot with the task."""

    def begin(self, coroutine):
        self._task = asyncio.ensure_future(coroutine)

    def proceed(self):
        self.begin(work(1))


def run_in_place(loop, reactor):
    """The variable lives as long as the loop that is run here."""
    task = loop.create_task(work(1))
    task.add_done_callback(reactor.stop)
    reactor.run()


def plain():
    return None


def gathers_plain():
    asyncio.gather(plain(), plain())


KEPT = set()


def supervised(work, registry):
    task = asyncio.create_task(work)
    registry.add(task)
    return task


def left_to_one_that_keeps_it(work):
    return supervised(work, KEPT)


async def starts_and_forgets():
    left_to_one_that_keeps_it(starts_and_forgets())
