import asyncio

import aiohttp


async def handle(text):
    print(text)


async def fetch(session, url):
    async with session.get(url) as answer:
        text = await answer.text()
        task = asyncio.create_task(handle(text))
    return task
