import asyncio
from contextlib import asynccontextmanager

import aiohttp


class Crawler:
    def __init__(self, seeds):
        self.seeds = seeds
        self.tasks = []

    async def start(self):
        async with aiohttp.ClientSession() as session:
            for url in self.seeds:
                self.tasks.append(asyncio.create_task(visit(session, url)))  # RH
        return len(self.tasks)

    async def start_and_wait(self):
        async with aiohttp.ClientSession() as session:
            for url in self.seeds:
                self.tasks.append(asyncio.create_task(visit(session, url)))
            await asyncio.gather(*self.tasks)


@asynccontextmanager
async def connection(host):
    reader, writer = await asyncio.open_connection(host, 9000)
    try:
        yield reader, writer
    finally:
        writer.close()


async def visit(session, url):
    await session.get(url)


async def beat(writer):
    while True:
        writer.write(b"ping")
        await asyncio.sleep(1)


async def talk(host, commands):
    async with connection(host) as (reader, writer):
        task = asyncio.create_task(beat(writer))  # RH
        for command in commands:
            writer.write(command)
            await reader.readline()
    return task
