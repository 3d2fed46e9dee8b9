import asyncio

import httpx

lock = asyncio.Lock()
pages = {}


async def load(url):
    async with lock:
        async with httpx.AsyncClient() as client:
            response = await client.get(url)  # RH
        pages[url] = response.text


async def main(urls):
    await asyncio.gather(*(load(url) for url in urls))
