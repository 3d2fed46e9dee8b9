import asyncio


class Locked:
    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer
        self._lock = asyncio.Lock()

    async def ask(self, question):
        async with self._lock:
            self.writer.write(question)
            await self.writer.drain()
            return await self.reader.readline()


class AtOnce:
    """No await stands between the parts."""

    def __init__(self, reader, writer):
        self.writer = writer

    async def ask(self, question):
        self.writer.write(question)
        self.writer.write(b"\n")
        await self.writer.drain()


class Trace:
    """Lines of a log may come in any order."""

    def __init__(self, reader, writer):
        self._trace_stream = writer

    async def ask(self, question):
        self._trace_stream.write("begin")
        await asyncio.sleep(0)
        self._trace_stream.write("end")


async def main():
    for kind in (Locked, AtOnce, Trace):
        client = kind(*await asyncio.open_connection("localhost", 1))
        await asyncio.gather(client.ask(b"a\n"), client.ask(b"b\n"))
