import asyncio


class Batcher:
    def __init__(self, store):
        self.store = store
        self.lock = asyncio.Lock()
        self.rows = []
        self.flusher = None

    async def _flush(self):
        async with self.lock:
            await self.store.insert(self.rows)

    async def add(self, row):
        async with self.lock:
            self.rows.append(row)
            self.flusher = asyncio.create_task(self._flush())  # RH
            await self.flusher
