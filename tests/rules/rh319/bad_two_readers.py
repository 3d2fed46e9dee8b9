import asyncio


class Client:
    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("localhost", 1)
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self):
        while True:
            self.handle(await self.reader.readline())

    async def version(self):
        self.writer.write(b"version\n")
        return await self.reader.readline()  # RH
