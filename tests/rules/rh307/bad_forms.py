import asyncio

import aiohttp


async def forgotten(url):
    async with aiohttp.ClientSession() as session:
        asyncio.create_task(session.get(url))  # RH


async def plain_with(path, text):
    with open(path, "w") as file:
        job = asyncio.ensure_future(write(file, text))  # RH
        await asyncio.sleep(0)
    await job


async def of_an_object(channel):
    async with channel:
        task = asyncio.get_running_loop().create_task(channel.write("line"))  # RH
    return task


class Client:
    async def fetch(self, urls):
        async with aiohttp.ClientSession() as session:
            for url in urls:
                self.last = asyncio.create_task(self._one(url, http=session))  # RH

    async def _one(self, url, http):
        return await http.get(url)
