import asyncio


class Uploader:
    def __init__(self, client):
        self.client = client
        self.current = None
        self.last = None

    async def _begin(self, item):
        self.current = item
        await self.client.reserve(item.name)

    def _note(self, item):
        self.last = item

    async def upload(self, item):
        await self._begin(item=item)
        await self.client.send(self.current)  # RH

    async def repeat(self, item):
        self._note(item)
        await self.client.ask()
        await self.client.send(self.last)  # RH

    async def upload_all(self, items):
        await asyncio.gather(*(self.upload(item) for item in items))
        await asyncio.gather(*(self.repeat(item) for item in items))
