import asyncio
from asyncio import CancelledError


async def named(queue):
    while True:
        try:
            job = await queue.get()
            await job()
        except (CancelledError, ValueError):  # RH
            continue


async def base(queue):
    for _ in range(10):
        try:
            async with queue.entry():
                pass
        except BaseException as error:  # RH
            print(error)


class Worker:
    async def run(self):
        while self.running:
            try:
                await self.step()
            except asyncio.TimeoutError:
                pass
            except asyncio.CancelledError:  # RH
                self.log("cancelled")
