"""The base class notes the end, when the derived one has waited for the end of what it works with."""

import asyncio


class Connector:
    def __init__(self):
        self._closed = False

    async def connect(self, host):
        if self._closed:
            raise RuntimeError("closed")
        return await self._create(host)

    async def close(self):
        self._end()
        await asyncio.sleep(0)

    def _end(self):
        self._closed = True


class ResolvingConnector(Connector):
    def __init__(self, resolver):
        super().__init__()
        self._resolver = resolver

    async def _create(self, host):
        return await self._resolver.resolve(host)

    async def close(self):
        await self._resolver.close()
        await super().close()  # RH
