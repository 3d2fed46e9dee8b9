import asyncio


class Downloader:
    def __init__(self, http):
        self._http = http
        self._sizes = {}

    async def _remember(self, url, body):
        self._sizes[url] = len(body)

    async def fetch(self, url):
        body = await self._http.get(url)
        await self._remember(url, body)
        return url, body

    async def fetch_all(self, urls):
        return await asyncio.gather(*(self.fetch(url) for url in urls))
