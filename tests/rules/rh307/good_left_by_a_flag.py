import asyncio


class Flagged:
    closed = False

    async def __aenter__(self):
        self._pump = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *exception):
        self.closed = True

    async def _run(self):
        while not self.closed:
            await asyncio.sleep(1)


class Cancelled:
    async def __aenter__(self):
        self._pump = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *exception):
        self._pump.cancel()

    async def _run(self):
        await asyncio.sleep(1)


class Fed:
    async def __aenter__(self):
        self._queue = asyncio.Queue()
        self._pump = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *exception):
        await self._queue.put(None)

    async def _run(self):
        while await self._queue.get() is not None:
            pass
