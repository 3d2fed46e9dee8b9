import asyncio


class Client:
    async def start(self):
        self._reader = asyncio.create_task(self._read())
        self._writer = asyncio.create_task(self._write())
        self._timer = asyncio.create_task(self._tick())
        self._once = asyncio.ensure_future(self._tick())

    async def close(self):
        await self._reader
        self._reader = None
        await asyncio.wait([self._writer])
        self._writer = None
        stop(self._timer)
        self._timer = None

    def forget(self):
        self._once = None
