import asyncio


async def fetch(session, url):
    return await session.get(url)


async def fetch_all(connect, urls, tasks):
    async with connect() as session:
        for url in urls:
            tasks.append(asyncio.create_task(fetch(session, url)))  # RH


class Fetcher:
    def __init__(self):
        self.running = []

    async def fetch_all(self, connect, urls):
        async with connect() as session:
            for url in urls:
                task = asyncio.create_task(fetch(session, url))  # RH
                self.running.append(task)

    async def fetch_and_wait(self, connect, urls):
        async with connect() as session:
            for url in urls:
                task = asyncio.create_task(fetch(session, url))
                self.running.append(task)
            await asyncio.gather(*self.running)
