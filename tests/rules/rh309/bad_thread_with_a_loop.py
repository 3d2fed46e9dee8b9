import asyncio
import threading


class FakeServer(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.received = asyncio.Queue()

    def run(self):
        asyncio.run(self._main())

    async def _main(self):
        server = await asyncio.start_server(self._client, "127.0.0.1", 0)
        await server.serve_forever()

    async def _client(self, reader, writer):
        while line := await reader.readline():
            await self.received.put(line)

    def lines(self):
        found = []
        while not self.received.empty():
            found.append(self.received.get_nowait())  # RH
        return found
