import asyncio

TASKS = set()


def spawn(coroutine):
    task = asyncio.create_task(coroutine)
    TASKS.add(task)
    return task


async def load(client, page):
    await client.get(page)


async def by_a_wrapper(connect, pages):
    async with connect() as client:
        for page in pages:
            spawn(load(client, page))  # RH


async def by_another_name(connect, page):
    start = asyncio.create_task
    async with connect() as client:
        task = start(load(client, page))  # RH
    await task


class Service:
    def __init__(self, client):
        self.client = client

    async def __aenter__(self):
        self._task = asyncio.create_task(self.poll())
        return self

    async def __aexit__(self, *exception):
        await self.client.close()  # RH

    async def poll(self):
        raise NotImplementedError


class Status(Service):
    async def poll(self):
        while True:
            await self.client.request("status")
            await asyncio.sleep(5)


def schedule(client, pages):
    return [asyncio.create_task(load(client, page)) for page in pages]


async def by_a_helper(connect, pages):
    async with connect() as client:
        tasks = schedule(client, pages)  # RH
    await asyncio.gather(*tasks)


async def into_a_set(connect, pages):
    running = set()
    async with connect() as client:
        for page in pages:
            running.add(asyncio.create_task(load(client, page)))  # RH
    await asyncio.gather(*running)
