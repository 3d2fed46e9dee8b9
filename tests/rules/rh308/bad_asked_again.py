import asyncio


class Client:
    def __init__(self, transport):
        self._transport = transport
        self._lock = asyncio.Lock()

    async def _fetch(self, path):
        async with self._lock:  # RH
            return await self._transport.fetch(path)

    async def _fetch_all(self, paths):
        return await asyncio.gather(*(self._fetch(path) for path in paths))

    def fetch_all(self, paths):
        return asyncio.run(self._fetch_all(paths))
