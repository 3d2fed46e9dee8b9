import asyncio


class Box:
    def __init__(self):
        self._filled = asyncio.Condition()
        self.item = None

    async def take(self):
        async with self._filled:
            await self._filled.wait_for(lambda: self.item)
            return self.item

    async def put(self, item):
        self.item = item
        self._filled.notify_all()  # RH
