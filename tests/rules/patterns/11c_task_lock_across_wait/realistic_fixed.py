import asyncio


class Pool:
    def __init__(self):
        self._guard = asyncio.Lock()
        self._free = asyncio.Queue()

    async def acquire(self):
        connection = await self._free.get()
        async with self._guard:
            return connection

    async def give_back(self, connection):
        async with self._guard:
            self._put(connection)

    def _put(self, connection):
        self._free.put_nowait(connection)
