import asyncio


class Uploader:
    def __init__(self, client):
        self.client = client
        self.current = None

    async def _begin(self, item):
        await self.client.reserve(item.name)
        self.current = item

    async def upload(self, item):
        await self._begin(item)
        self.client.send(self.current)

    async def upload_all(self, items):
        await asyncio.gather(*(self.upload(item) for item in items))
