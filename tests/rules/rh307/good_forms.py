import asyncio

import aiohttp


async def group(urls):
    async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as tasks:
        for url in urls:
            tasks.create_task(session.get(url))


async def gathered(urls):
    async with aiohttp.ClientSession() as session:
        tasks = [asyncio.create_task(session.get(url)) for url in urls]
        await asyncio.gather(*tasks)


async def collected(urls):
    async with aiohttp.ClientSession() as session:
        tasks = []
        for url in urls:
            tasks.append(asyncio.create_task(session.get(url)))
        await asyncio.wait(tasks)


async def at_once(url):
    async with aiohttp.ClientSession() as session:
        await asyncio.create_task(session.get(url))


async def cancelled(url):
    async with aiohttp.ClientSession() as session:
        task = asyncio.create_task(session.get(url))
        await asyncio.sleep(1)
        task.cancel()


async def not_of_the_resource(url):
    async with aiohttp.ClientSession() as session:
        task = asyncio.create_task(other(url))
        await session.get(url)
    await task


async def under_a_lock(lock, url):
    async with lock:
        task = asyncio.create_task(use(lock))
    await task


class Consumer:
    async def start(self):
        async with aiohttp.ClientSession() as session:
            self.task = asyncio.create_task(session.get("/"))
            await self.task


async def outside(url):
    async with aiohttp.ClientSession() as session:
        await session.get(url)
    return asyncio.create_task(other(session))
