import asyncio
import contextlib
import os
import tempfile

from database import connect, pool


async def awaited():
    async with connect() as connection:

        async def use():
            await connection.execute("select 1")

        task = asyncio.create_task(use())
        await task


async def of_its_own():
    async with connect() as connection:

        async def use(connection):
            await connection.execute("select 1")

        task = asyncio.create_task(use(connect()))
        await connection.execute("select 2")
    await task


async def enters_itself():
    async with pool:
        await pool.fetch("select 1")


async def entered_twice():
    async with pool:
        task = asyncio.create_task(enters_itself())
    await task


class Job:
    def __init__(self, session):
        self.session = session
        self._turn = asyncio.Condition()

    async def _poll(self):
        await self.session.get("/")

    async def run(self):
        async with self.session:
            task = asyncio.create_task(self._poll())
            await asyncio.wait_for(task, 1)

    async def _wake(self):
        await self._turn.acquire()
        self._turn.notify()
        self._turn.release()

    async def under_a_lock(self):
        async with self._turn:
            task = asyncio.create_task(self._wake())
        return task


async def one_by_one(make, urls):
    async with contextlib.AsyncExitStack() as stack:
        client = await stack.enter_async_context(make())
        tasks = [asyncio.create_task(client.get(url)) for url in urls]
        for task in tasks:
            await task


async def taken_over(make):
    async with contextlib.AsyncExitStack() as stack:
        client = await stack.enter_async_context(make())
        task = asyncio.create_task(client.get("/"))
        return task, stack.pop_all()


async def grouped(work):
    async with contextlib.AsyncExitStack() as stack:
        group = await stack.enter_async_context(asyncio.TaskGroup())
        asyncio.create_task(work(group))


async def cancelled_by_the_stack(make, work):
    async with contextlib.AsyncExitStack() as stack:
        client = await stack.enter_async_context(make())
        task = asyncio.create_task(work(client))
        stack.callback(task.cancel)


async def elsewhere(process, home):
    with tempfile.TemporaryDirectory() as directory:
        await process(directory)
        task = asyncio.create_task(process(os.path.join(home, "x")))
    return await task


class Streams:
    async def __aenter__(self):
        self._reader, self._writer = await asyncio.open_connection("host", 1)
        self._pump = asyncio.create_task(self._read_loop())
        return self

    async def __aexit__(self, *exc):
        self._writer.close()
        await self._pump

    async def _read_loop(self):
        while data := await self._reader.read(100):
            self._writer.write(data)


class Handled:
    async def __aenter__(self):
        self._reader, self._writer = await asyncio.open_connection("host", 1)
        self._pump = asyncio.create_task(self._read_loop())
        return self

    async def __aexit__(self, *exc):
        self._writer.close()

    async def _read_loop(self):
        try:
            while data := await self._reader.read(100):
                self._writer.write(data)
        except ConnectionError:
            return
