import asyncio


class Completed:
    def __init__(self):
        self.queue = []
        self.condition = asyncio.Condition()

    async def track(self, source):
        async with self.condition:
            self.queue.append(await source.read())
            self.condition.notify()

    async def take(self):
        while not self.queue:
            async with self.condition:
                await self.condition.wait()  # RH
        return self.queue.pop()


class Late:
    def __init__(self):
        self.queue = []
        self.condition = asyncio.Condition()

    async def track(self, future):
        self.queue.append(await future)
        async with self.condition:
            self.condition.notify()

    async def take(self):
        while not self.queue:
            await self.announce()
            async with self.condition:
                await self.condition.wait()  # RH
        return self.queue.pop()

    async def announce(self):
        await asyncio.sleep(0.1)
