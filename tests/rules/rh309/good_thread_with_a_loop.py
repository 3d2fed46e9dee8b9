import asyncio
import threading


class FakeServer(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.received = asyncio.Queue()
        self.loop = None

    def run(self):
        asyncio.run(self._main())

    async def _main(self):
        self.loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._client, "127.0.0.1", 0)
        await server.serve_forever()

    async def _client(self, reader, writer):
        while line := await reader.readline():
            await self.received.put(line)

    async def _collect(self):
        found = []
        while not self.received.empty():
            found.append(self.received.get_nowait())
        return found

    def lines(self):
        return asyncio.run_coroutine_threadsafe(self._collect(), self.loop).result(5)
