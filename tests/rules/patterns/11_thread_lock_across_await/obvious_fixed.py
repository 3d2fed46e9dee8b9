import asyncio

lock = asyncio.Lock()


async def save(item):
    async with lock:
        await write(item)
