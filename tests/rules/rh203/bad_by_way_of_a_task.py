import asyncio


class Writer:
    def __init__(self, sink):
        self.sink = sink
        self.lock = asyncio.Lock()
        self.batch = []

    async def _flush(self):
        async with self.lock:
            self.batch.clear()

    async def add(self, row):
        async with self.lock:
            self.batch.append(row)
            task = asyncio.create_task(self._flush())  # RH
            await task

    async def close(self):
        async with self.lock:
            await asyncio.gather(self._flush(), self.sink.close())  # RH

    async def close_later(self):
        async with self.lock:
            task = asyncio.create_task(self._flush())
        await task
