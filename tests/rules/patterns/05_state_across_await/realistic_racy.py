import asyncio


class Downloader:
    def __init__(self, http):
        self._http = http
        self._current = None
        self._sizes = {}

    async def _remember(self, body):
        self._sizes[self._current] = len(body)

    async def fetch(self, url):
        self._current = url  # RH
        body = await self._http.get(url)
        await self._remember(body)
        return self._current, body

    async def fetch_all(self, urls):
        return await asyncio.gather(*(self.fetch(url) for url in urls))
