import asyncio


async def deliver(handler, parts):
    [asyncio.create_task(handler(part)) for part in parts]  # RH
    tasks = [asyncio.create_task(handler(part)) for part in parts]
    await asyncio.gather(*tasks)
