import asyncio


class Connection:
    def __init__(self, reader, writer, session):
        self._lock = asyncio.Lock()
        self._reader = reader
        self._writer = writer
        self._session = session
        self._pages = {}

    async def receive(self):
        async with self._lock:
            return await self._reader.readline()  # RH

    async def send(self, line):
        async with self._lock:
            self._writer.write(line)

    async def page(self, url):
        async with self._lock:
            if url not in self._pages:
                self._pages[url] = await self._session.get(url)  # RH
            return self._pages[url]

    async def naps(self):
        async with self._lock:
            await asyncio.sleep(60)  # RH
