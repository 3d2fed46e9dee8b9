import asyncio


async def fetch_all(connect, urls):
    tasks = []
    async with connect() as session:
        for url in urls:
            tasks.append(asyncio.create_task(fetch(session, url)))  # RH
    return await asyncio.gather(*tasks)


async def fetch(session, url):
    return await session.get(url)
