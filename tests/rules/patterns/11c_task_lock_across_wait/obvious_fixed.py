import asyncio


class Channel:
    def __init__(self):
        self._lock = asyncio.Lock()
        self._ready = asyncio.Event()

    async def receive(self):
        await self._ready.wait()
        async with self._lock:
            return self.message

    async def send(self):
        async with self._lock:
            self._ready.set()
