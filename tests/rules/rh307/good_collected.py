import asyncio


async def fetch_all(connect, urls):
    tasks = []
    async with connect() as session:
        for url in urls:
            tasks.append(asyncio.create_task(fetch(session, url)))
        return await asyncio.gather(*tasks)


async def hand_on(connect, urls, pool):
    async with connect() as session:
        for url in urls:
            pool.append(asyncio.create_task(fetch(session, url)))


async def fetch(session, url):
    return await session.get(url)
