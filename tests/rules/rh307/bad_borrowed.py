import asyncio
import contextlib
import os
import tempfile
from pathlib import Path

from database import connect, pool


async def around_it():
    async with connect() as connection:

        async def use():
            await connection.execute("select 1")

        task = asyncio.create_task(use())  # RH
    await task


async def given_to_the_outer(resource):
    async def use():
        await helper()

    async def helper():
        await resource.read()

    async with resource:
        task = asyncio.create_task(use())  # RH
    await task


async def drain():
    await pool.fetch("select 1")


async def of_the_module():
    async with pool:
        task = asyncio.create_task(drain())  # RH
    await task


class Job:
    def __init__(self, session):
        self.session = session

    async def _poll(self):
        await self._step()

    async def _step(self):
        await self.session.get("/")

    async def run(self):
        async with self.session:
            task = asyncio.create_task(self._poll())  # RH
        return task


async def stacked(make, urls):
    async with contextlib.AsyncExitStack() as stack:
        client = await stack.enter_async_context(make())
        tasks = [asyncio.create_task(client.get(url)) for url in urls]  # RH
    return await asyncio.gather(*tasks)


async def joined(process):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "x")
        task = asyncio.create_task(process(path))  # RH
    return await task


async def divided(process):
    with tempfile.TemporaryDirectory() as directory:
        task = asyncio.create_task(process(Path(directory) / "x"))  # RH
    return await task


class Streams:
    async def __aenter__(self):
        self._reader, self._writer = await asyncio.open_connection("host", 1)
        self._pump = asyncio.create_task(self._read_loop())
        return self

    async def __aexit__(self, *exc):
        self._writer.close()  # RH
        await self._writer.wait_closed()

    async def _read_loop(self):
        while data := await self._reader.read(100):
            self._writer.write(data)
