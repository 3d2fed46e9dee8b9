import asyncio


class Feed:
    async def __aenter__(self):
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *exc):
        self._reader = None  # RH
        await self._socket.close()

    async def _read(self):
        while True:
            self.last = await self._socket.recv()
