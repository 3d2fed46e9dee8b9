import asyncio


class Client:
    """Two questions at once: who gets which answer?"""

    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer

    async def ask(self, question):
        self.writer.write(question)
        await self.writer.drain()
        return await self.reader.readline()  # RH


async def main():
    client = Client(*await asyncio.open_connection("localhost", 1))
    return await asyncio.gather(client.ask(b"a\n"), client.ask(b"b\n"))


class Session:
    """The task of the object speaks beside its callers, through a helper."""

    def __init__(self, transport):
        self._transport = transport

    async def publish(self, message):
        await self._frame(message)

    async def _frame(self, body):
        self._transport.write(b"begin")
        packed = await self.pack(body)
        self._transport.write(packed)  # RH

    async def _beat(self):
        while True:
            await self._frame(b"")
            await asyncio.sleep(5)

    def start(self):
        self._beating = asyncio.ensure_future(self._beat())


class Wire:
    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer

    async def _call(self, message):
        self._writer.write(message)
        await self._writer.drain()
        return await self._reader.readexactly(4)  # RH


class Base(Wire):
    """Both come there through a derived class."""

    async def get(self, key):
        return await self._call(key)

    async def _ping(self):
        while True:
            await self._call(b"ping")
            await asyncio.sleep(5)

    async def open(self):
        self._pinging = asyncio.create_task(self._ping())
