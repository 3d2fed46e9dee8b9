import asyncio

import aiohttp


async def main():
    async with aiohttp.ClientSession() as session:
        task = asyncio.create_task(fetch(session))  # RH
    return await task
