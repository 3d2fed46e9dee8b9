import asyncio


class Stream:
    def __init__(self, queue):
        self._queue = queue
        self._task = asyncio.create_task(self._pump())

    async def _pump(self):
        await asyncio.sleep(1)

    def _cleanup(self):
        self._task.cancel()

    async def events(self):
        while True:
            item = await self._queue.get()
            if item is None:
                break
            yield item  # RH
        self._cleanup()


class Portal:
    def __init__(self, manager, done):
        self._manager = manager
        self._done = done

    async def run(self):
        await self._manager.__aenter__()
        await self._done.wait()  # RH
        return await self._manager.__aexit__(None, None, None)
