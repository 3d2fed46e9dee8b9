import asyncio


async def fetch(limit, url):
    async with limit:
        return await get(url)


async def fetch_all(urls):
    limit = asyncio.Semaphore(4)
    return await asyncio.gather(*(fetch(limit, url) for url in urls))


def main(batches):
    for urls in batches:
        asyncio.run(fetch_all(urls))
