"""A property that is looked at again, one that says something else, and a method that is only handed on."""

import asyncio


class Client:
    def __init__(self):
        self._writer = None
        self._opening = asyncio.Lock()

    @property
    def is_connected(self):
        return self._writer is not None

    async def _connect(self):
        if self.is_connected:
            return
        async with self._opening:
            if self.is_connected:
                return
            self._reader, self._writer = await asyncio.open_connection("localhost", 1)

    async def send(self, data):
        await self._connect()
        self._writer.write(data)


class Named:
    def __init__(self, host):
        self._host = host
        self._link = None

    @property
    def host(self):
        return self._host

    async def open(self):
        if self.host:
            self._link = await asyncio.open_connection(self._host, 1)


async def main():
    client, named = Client(), Named("localhost")
    await asyncio.gather(client.send(b"a"), client.send(b"b"), named.open(), named.open())
