import asyncio
from asyncio import create_task as spawn
from asyncio import ensure_future


async def work(number):
    await asyncio.sleep(number)


async def renamed_import():
    spawn(work(1))  # RH


async def future():
    ensure_future(work(1))  # RH


async def on_the_loop():
    loop = asyncio.get_running_loop()
    loop.create_task(work(1))  # RH


async def on_the_loop_directly():
    asyncio.get_event_loop().create_task(work(1))  # RH


async def dying_local():
    task = asyncio.create_task(work(1))  # RH
    return 1


async def local_with_a_callback_alone():
    task = asyncio.create_task(work(1))  # RH
    task.add_done_callback(print)


async def placeholder():
    _ = asyncio.create_task(work(1))  # RH


async def one_branch():
    if work:
        asyncio.create_task(work(1))  # RH
    else:
        await work(2)


async def gathered_but_not_awaited():
    asyncio.gather(work(1), work(2))  # RH


def callback(loop):
    loop.create_task(work(1))  # RH


def start(coroutine):
    return asyncio.create_task(coroutine)


def start_named(coroutine, name):
    task = asyncio.create_task(coroutine, name=name)
    return task


async def through_a_function():
    start(work(1))  # RH
    start_named(work(2), "two")  # RH


class Base:
    def run_soon(self, coroutine):
        return self._loop.create_task(coroutine)

    def __init__(self, loop):
        self._loop = loop


class Derived(Base):
    async def handle(self):
        self.run_soon(self._job())  # RH

    async def _job(self):
        await work(3)
