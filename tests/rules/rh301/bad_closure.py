import asyncio


async def total(parts):
    found = 0

    async def add(part):
        nonlocal found
        before = found
        await asyncio.sleep(0)
        found = before + part  # RH

    await asyncio.gather(*(add(part) for part in parts))
    return found
