import asyncio


class Calls:
    def __init__(self):
        self._pending = {}

    async def ask(self, number):
        future = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        return await asyncio.wait_for(future, 3)

    async def answered(self, number, raw):
        value = await self.decode(raw)
        future = self._pending[number]
        if not future.done():
            future.set_result(value)
