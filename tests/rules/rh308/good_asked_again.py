import asyncio


class Server:
    def __init__(self, transport):
        self._transport = transport
        self._lock = asyncio.Lock()

    async def _serve(self):
        async with self._lock:
            await self._transport.serve()

    def serve(self):
        asyncio.run(self._serve())


class Client:
    def __init__(self, transport):
        self._transport = transport

    async def _fetch(self, lock, path):
        async with lock:
            return await self._transport.fetch(path)

    async def _fetch_all(self, paths):
        lock = asyncio.Lock()
        return await asyncio.gather(*(self._fetch(lock, path) for path in paths))

    def fetch_all(self, paths):
        return asyncio.run(self._fetch_all(paths))
