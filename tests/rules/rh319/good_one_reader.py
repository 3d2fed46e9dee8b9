import asyncio


class Client:
    """The first words are said before anybody listens."""

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("localhost", 1)
        await self._say_hello()
        self._listening = asyncio.create_task(self._listen())

    async def _say_hello(self):
        return await self.reader.readline()

    async def _listen(self):
        while True:
            self.handle(await self.reader.readline())


class Apart:
    def __init__(self, reader):
        self.reader = reader
        self._lock = asyncio.Lock()

    def start(self):
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self):
        while True:
            async with self._lock:
                self.handle(await self.reader.readline())

    async def version(self):
        async with self._lock:
            return await self.reader.readline()


class Stream:
    """Whoever has it reads it; the task is that of another object."""

    def __init__(self, reader):
        self.reader = reader

    async def readline(self):
        return await self.reader.readline()

    async def read(self, size):
        return await self.reader.read(size)


class Server:
    def __init__(self, reader):
        self._stream = Stream(reader)

    def start(self):
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self):
        while True:
            self.handle(await self._stream.readline())
