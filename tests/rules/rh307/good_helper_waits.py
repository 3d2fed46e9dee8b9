import asyncio


async def load(client, page):
    await client.get(page)


def schedule(client, pages):
    return [asyncio.create_task(load(client, page)) for page in pages]


async def waits_inside(connect, pages):
    async with connect() as client:
        await asyncio.gather(*schedule(client, pages))


def start_in(group, client, page):
    group.create_task(load(client, page))


async def group_inside(connect, page):
    async with connect() as client, asyncio.TaskGroup() as group:
        start_in(group, client, page)
