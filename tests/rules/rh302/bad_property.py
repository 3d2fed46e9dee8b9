"""The look is behind a property."""

import asyncio


class Client:
    def __init__(self):
        self._writer = None

    @property
    def is_connected(self):
        return self._writer is not None

    async def _connect(self):
        if self.is_connected:
            return
        reader, writer = await asyncio.open_connection("localhost", 1)
        self._reader, self._writer = reader, writer  # RH

    async def send(self, data):
        await self._connect()
        self._writer.write(data)


async def main():
    client = Client()
    await asyncio.gather(client.send(b"a"), client.send(b"b"))
