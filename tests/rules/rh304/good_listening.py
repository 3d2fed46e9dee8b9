import asyncio


class Connection:
    def __init__(self, reader, writer):
        self._lock = asyncio.Lock()
        self._reader = reader
        self._writer = writer

    async def receive(self):
        line = await self._reader.readline()
        async with self._lock:
            return line

    async def limited(self):
        async with self._lock:
            async with asyncio.timeout(1):
                return await self._reader.readline()

    async def gives_way(self):
        async with self._lock:
            await asyncio.sleep(0)

    async def of_a_table(self, steps, name):
        async with self._lock:
            await steps[name]()

    async def steps(self):
        async with self._lock:
            await self._step()

    async def _step(self):
        self._writer.write(b"x")
