import asyncio


class Completed:
    def __init__(self):
        self.queue = []
        self.condition = asyncio.Condition()

    async def track(self, future):
        self.queue.append(await future)
        async with self.condition:
            self.condition.notify()

    async def take(self):
        while not self.queue:
            async with self.condition:
                await self.condition.wait()
        return self.queue.pop()
