import asyncio

limit = asyncio.Semaphore(4)


async def fetch(url):
    async with limit:  # RH
        return await get(url)


def main(urls):
    for url in urls:
        asyncio.run(fetch(url))
